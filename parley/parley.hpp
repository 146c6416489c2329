// Everything a user of Parley needs.
#pragma once

#include <parley/version.hpp>

#include <parley/algorithm.hpp>
#include <parley/base/errors.hpp>
#include <parley/blocking.hpp>
#include <parley/fork_join.hpp>
#include <parley/future.hpp>
#include <parley/isolated.hpp>
#include <parley/loop.hpp>
#include <parley/priority.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>
#include <parley/spawn.hpp>
#include <parley/when_all.hpp>
#include <parley/worker_local.hpp>
