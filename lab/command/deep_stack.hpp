// The serial program recurses as deep as its tree is, which is 17,844 calls in T3L and more in
// others.
#pragma once

#include <functional>

namespace parley_cli {

// Calls `work` on a thread with a stack of 256 MiB, of which only what is used costs memory, and
// returns its result; where no such stack can be had, on the calling thread.
[[nodiscard]] int on_deep_stack(const std::function<int()>& work);

}  // namespace parley_cli
