// The unit in which cores exchange memory.
#pragma once

#include <cstddef>

namespace parley::inline v0::base {

// 64 bytes on every x86-64 and on nearly every 64-bit Arm. A constant of our own: the standard's
// std::hardware_destructive_interference_size may differ between two translation units of one
// program (it follows the tuning flags), and would then change the layout of shared objects.
inline constexpr std::size_t cache_line = 64;

}  // namespace parley::inline v0::base
