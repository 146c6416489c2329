// Rules of the house that a compiler does not check. Each returns one line per breach: none is well.
#pragma once

#include "tests/house/source_tree.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace house {

using breaches = std::vector<std::string>;

// A file of the library, the broker's or the simulator's: for these the rules below hold.
bool is_in_a_room(std::string_view path);

// Includes point down only, from room to room as docs/internals/overview.md draws them.
breaches layer_breaches(const source_tree& tree);

// No file includes itself, by whatever detour.
breaches cycle_breaches(const source_tree& tree);

// sim/ takes only the pure parts of farm, cluster and broker: it must not reach channels or threads.
breaches sim_breaches(const source_tree& tree);

// Within parley/, atomics, volatile and futexes live in parley/detail/sync/ alone.
breaches atomic_breaches(const source_tree& tree);

// protocol/ knows no thread, clock, socket or allocation; base/ no thread, clock or socket.
breaches purity_breaches(const source_tree& tree);

// No number that the policies or the wait loop have by name has a second name in virtual time, which runs the
// same loop: a time of any length, or a count of 32 or more.
breaches constant_breaches(const source_tree& tree);

// No file in parley/ is longer than 600 lines.
breaches length_breaches(const source_tree& tree);

// What a file uses of the standard library it includes, whatever one compiler's headers happen to bring: a file of the
// library itself, others by a header of ours at the least.
breaches standard_include_breaches(const source_tree& tree);

// Library and command read the environment by base/environment.hpp, which knows when it is not to be trusted.
breaches environment_breaches(const source_tree& tree);

// Each header in parley/ itself includes version.hpp first, which says what a compiler lacks, and has a test
// tests/ROOM/header_NAME_test.cpp, which includes it before all else, and twice.
breaches header_test_breaches(const source_tree& tree);

// Nothing is left to be done later.
breaches mark_breaches(const source_tree& tree);

// How many includes the rules see between files of parley/: none would mean that they see nothing.
std::size_t count_inner_includes(const source_tree& tree);

}  // namespace house
