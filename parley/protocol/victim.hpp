// The choice of victims: random, and nobody is asked twice by one request.
#pragma once

#include <parley/base/rng.hpp>
#include <parley/protocol/request.hpp>

#include <cstdint>
#include <numeric>
#include <optional>

namespace parley::inline v0::protocol {

// A random victim order that fits into a message whatever the number of workers: an affine sequence
// modulo n - 1 visits every victim exactly once if its stride is coprime to n - 1. The papers carry
// the set of workers that were asked instead (TH §3.3.3), which grows with n.
class random_victims {
public:
    static travel begin(request_id request, std::uint32_t workers, base::rng& random) noexcept {
        travel t{.request = request};
        const std::uint32_t victims = workers - 1;
        if (victims > 1) {
            t.start = random.below(victims);
            t.stride = 1 + random.below(victims - 1);
            while (std::gcd(t.stride, victims) != 1) t.stride = t.stride % (victims - 1) + 1;
        }
        return t;
    }

    // The next victim, or nothing when all were tried. O(1).
    static std::optional<worker_id> next(travel& t, std::uint32_t workers) noexcept {
        const std::uint32_t victims = workers - 1;
        if (t.hop >= victims) return std::nullopt;
        const std::uint64_t i = (t.start + std::uint64_t{t.hop} * t.stride) % victims;
        ++t.hop;
        return static_cast<worker_id>((thief_of(t.request) + 1 + i) % workers);
    }
};

}  // namespace parley::inline v0::protocol
