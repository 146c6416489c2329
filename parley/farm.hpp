/// @file
/// Streams: pipelines, farms and feedback loops, in the vocabulary of FastFlow (emitter, worker, collector, feedback,
/// ordered farm, on demand), as tasks on the workers.
///
///     using namespace parley;
///     source(std::views::iota(0, n)) | farm(f) | stage(g) | sink(h) .run({.tokens = 64});
///
/// docs/guide/farm.md says what is bounded, in which order things come, and what happens with exceptions.
#pragma once

#include <parley/version.hpp>

#include <parley/farm/adaptive_round_robin.hpp>
#include <parley/farm/emitter.hpp>
#include <parley/farm/feedback.hpp>
#include <parley/farm/on_demand.hpp>
#include <parley/farm/pipeline.hpp>
#include <parley/farm/policy.hpp>
#include <parley/farm/pull_end.hpp>
#include <parley/farm/push_end.hpp>
#include <parley/farm/round_robin.hpp>
#include <parley/farm/schedule.hpp>
#include <parley/farm/words.hpp>
