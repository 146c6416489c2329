// The compiler's fence where the explorer of the memory model runs the library (parley/detail/base/compiler_fence.hpp).
#pragma once

#include <lab/memory/calls.hpp>

namespace parley::inline v0::base {

inline void compiler_fence() noexcept { memory::light_fence(); }

}  // namespace parley::inline v0::base
