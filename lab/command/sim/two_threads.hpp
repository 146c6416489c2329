// What two threads cost each other, for calibration. Nanoseconds.
#pragma once

namespace parley_cli {

struct between_threads {
    double line = 0;        // one transfer of a cache line; 0: there is one processor only
    double apart = 0;       // part of the time in which the two did not run at once
    double wake = 0;        // to wake somebody
    double wake_delay = 0;  // until that runs
    double sleep = 0;       // to fall asleep
    double signal = 0;      // to send one
    double handler = 0;     // to be interrupted by one, and back
    double change = 0;      // of the thread that has a processor
};

[[nodiscard]] between_threads measure_two_threads();

}  // namespace parley_cli
