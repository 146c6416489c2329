// Work of a given length, for the tasks that "run for time t" in the papers. It is an amount of
// work, calibrated once, and not a wait for the clock: a worker that loses its processor in the
// middle of a task must do the rest afterwards. By the clock the task would be over meanwhile, and
// ten workers on one processor would be ten times as fast.
#pragma once

#include <cstdint>

namespace parley_programs {

// A chain of computations, each of which needs the result of the one before.
void spin(std::uint64_t rounds) noexcept;

// How many of them fit into a microsecond on an undisturbed processor: measured at the first call
// (10 ms), the same for the rest of the process, so that all schedulers do the same work.
[[nodiscard]] double rounds_per_microsecond();

// What a task computes. No more often than every `poll_every` microseconds, if that is not 0, it
// polls (thesis, section 3.6.1).
class busy_work {
public:
    explicit busy_work(double microseconds, double poll_every = 0.0)
        : rounds_(rounds_of(microseconds)), slice_(poll_every > 0.0 ? rounds_of(poll_every) : rounds_) {}

    template <class S>
    void run() const {
        std::uint64_t left = rounds_;
        for (; left > slice_; left -= slice_) {
            spin(slice_);
            S::poll();
        }
        spin(left);
    }

    // Of all of it, for who calls spin() himself.
    [[nodiscard]] std::uint64_t rounds() const noexcept { return rounds_; }

private:
    static std::uint64_t rounds_of(double microseconds) {
        return static_cast<std::uint64_t>(microseconds * rounds_per_microsecond());
    }

    std::uint64_t rounds_;
    std::uint64_t slice_;
};

}  // namespace parley_programs
