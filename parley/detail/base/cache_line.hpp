// The unit in which cores exchange memory.
#pragma once

#include <cstddef>

namespace parley::inline v0::base {

// 64 bytes on every x86-64 and on nearly every 64-bit Arm. The standard's std::hardware_destructive_interference_size
// follows the tuning flags, so it may differ between two translation units of one program. Then it would change the
// layout of shared objects, so this is a constant of our own.
inline constexpr std::size_t cache_line = 64;

}  // namespace parley::inline v0::base
