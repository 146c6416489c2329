// What ends a test that takes too long: see hang_detector.cpp.
#pragma once

namespace parley_tests {

// After so many seconds this process shows what its runtimes do, and aborts; unless this is called again before. 0: never.
void end_after(unsigned seconds);

}  // namespace parley_tests
