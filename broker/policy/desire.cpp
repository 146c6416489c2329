#include <broker/policy/desire.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace parley::inline v0::broker {
namespace {

std::uint32_t whole(double cores) noexcept { return static_cast<std::uint32_t>(std::clamp(cores, 0.0, 1e6)); }

// What it was busy on and a little more, but only as many as it would have used well; not less than a rho-th of what
// it had. Without the second bound a serial program keeps two cores for ever: ceil(1 / 0.95) = 2.
std::uint32_t shrunk(const desire& d, double busy, std::uint32_t allotment, const desire_options& o) noexcept {
    const std::uint32_t roomy = whole(std::ceil(busy / o.headroom));
    const std::uint32_t well_used = whole(std::floor(busy / o.least_efficiency));
    const std::uint32_t slow = whole(std::ceil(std::min(d.cores, allotment) / o.growth));
    return std::max({1u, slow, std::min({roomy, well_used, d.cores})});
}

}  // namespace

desire next_desire(desire d, double efficiency, double busy, std::uint32_t allotment, std::uint32_t most,
                   const desire_options& o) noexcept {
    d.judged = classify(efficiency, allotment, d.cores, o.least_efficiency);
    switch (d.judged) {
        case program_class::inefficient:
            if (d.grew) d.wait = d.hold_off = std::min(o.longest, std::max(2u, 2 * d.hold_off));
            d.grew = false;
            d.cores = shrunk(d, busy, allotment, o);
            break;
        case program_class::satisfied:
            if (d.grew) d.hold_off = 0;  // it was right to grow
            d.grew = false;
            if (d.wait > 0) {
                --d.wait;
            } else {
                const std::uint32_t more = std::max(d.cores + 1, whole(std::floor(d.cores * o.growth)));
                d.grew = d.cores < most;
                d.cores = std::max(d.cores, std::min(more, most));
            }
            break;
        case program_class::deprived: d.hold_off /= 2; break;
    }
    d.cores = std::min(d.cores, most);
    return d;
}

}  // namespace parley::inline v0::broker
