/// @file
/// What is run first of what is queued.
#pragma once

#include <parley/version.hpp>

#include <cstdint>

namespace parley::inline v0 {

/// The priority of a task that is spawned or made by async(). Of what one worker has queued, it runs all high tasks
/// before the normal ones, and gives them away first; of equals it runs the newest first and gives away the oldest
/// first. A priority orders nothing else: not what different workers have, not what is submitted by threads outside,
/// not the second call of a fork, which is in the caller's hand. No task is interrupted, none is refused. What a wait
/// may not begin on top of itself (docs/guide/waiting.md), high or not, comes after what its own task has made.
enum class priority : std::uint8_t { normal, high };

}  // namespace parley::inline v0
