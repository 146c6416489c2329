// Who says how many workers there are to be, when, and how many: drawn from the seed, as a busy broker might (pool::resize
// in the runtime).
#pragma once

#include <parley/base/rng.hpp>
#include <parley/sim/timed/time.hpp>

#include <cstdint>

namespace parley::inline v0::sim::timed {

class resizing {
public:
    resizing(std::uint32_t workers, duration mean_pause, std::uint64_t seed) noexcept
        : workers_(workers), mean_pause_(mean_pause), random_(seed) {}

    [[nodiscard]] duration pause() noexcept {
        constexpr std::uint32_t steps = 1U << 16;
        return 1 + 2 * mean_pause_ / steps * random_.below(steps);
    }
    // One in four times all but one go, one in four all come back.
    [[nodiscard]] std::uint32_t number() noexcept {
        switch (random_.below(4)) {
            case 0: return 1;
            case 1: return workers_;
            default: return 1 + random_.below(workers_);
        }
    }

private:
    std::uint32_t workers_;
    duration mean_pause_;
    base::rng random_;
};

}  // namespace parley::inline v0::sim::timed
