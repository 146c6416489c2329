// Who says how many workers there are to be, when, how many, and how often: drawn from the seed, as a busy broker might
// (resizing::resize in the runtime). It stops one day: each change wakes whoever waits for the wrong thing, and a wake-up
// that is lost is seen only if none follows.
#pragma once

#include <lab/sim/timed/time.hpp>
#include <parley/detail/base/rng.hpp>

#include <cstdint>

namespace parley::inline v0::sim::timed {

class resizing {
public:
    resizing(std::uint32_t workers, duration mean_pause, std::uint64_t seed) noexcept
        : workers_(workers), mean_pause_(mean_pause), random_(seed) {
        left_ = 1 + random_.below(2U << random_.below(longest));
    }

    [[nodiscard]] duration pause() noexcept {
        constexpr std::uint32_t steps = 1U << 16;
        return 1 + 2 * mean_pause_ / steps * random_.below(steps);
    }
    // Asked for each change.
    [[nodiscard]] bool was_the_last() noexcept { return --left_ == 0; }
    // One in four times all but one go, one in four all come back.
    [[nodiscard]] std::uint32_t number() noexcept {
        switch (random_.below(4)) {
            case 0: return 1;
            case 1: return workers_;
            default: return 1 + random_.below(workers_);
        }
    }

private:
    static constexpr std::uint32_t longest = 12;  // 2^12 changes at most, often few

    std::uint32_t workers_;
    duration mean_pause_;
    base::rng random_;
    std::uint32_t left_ = 0;
};

}  // namespace parley::inline v0::sim::timed
