// What ends a test that takes too long: see hang_detector.cpp.
#pragma once

#include <chrono>

namespace parley_tests {

// options::complain_after of the default runtime in tests, and of those that ask for it.
inline constexpr std::chrono::seconds complain_after{60};

// After so many seconds this process shows what its runtimes do, and aborts; unless this is called again before. 0: never.
void end_after(unsigned seconds);

}  // namespace parley_tests
