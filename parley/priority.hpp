/// @file
/// Which queued tasks run first.
#pragma once

#include <parley/version.hpp>

#include <cstdint>

namespace parley::inline v0 {

/// The priority of a task that is spawned or made by async(). Each worker runs its queued high tasks before its normal
/// ones, and gives them away first. Of equals it runs the newest first and gives away the oldest first.
///
/// A priority orders nothing else: not tasks of different workers, not those of threads outside, and not the second
/// call of a fork. No task is interrupted, and none is refused. Some tasks may not begin on top of a wait
/// (docs/guide/waiting.md). High or not, these come after the tasks that the waiting task has made.
enum class priority : std::uint8_t { normal, high };

}  // namespace parley::inline v0
