// The choice of victims as an input: the orders that protocol::random_victims draws from, numbered.
#pragma once

#include <parley/detail/base/rng.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/victim.hpp>

#include <cstdint>
#include <numeric>
#include <optional>

namespace parley::inline v0::sim {

// The protocol gives a choice of victims no medium to ask. So the medium, which is told just before
// (take_off), decides, writes the decision into its log, and leaves it here, each time the handler
// is run again, too.
class chosen_victims : public protocol::choice_without_memory {
public:
    static inline thread_local std::uint32_t order = 0;

    static constexpr std::uint32_t orders(std::uint32_t workers) noexcept {
        const std::uint32_t victims = workers - 1;
        std::uint32_t strides = 0;
        for (std::uint32_t s = 1; s < victims; ++s) strides += std::gcd(s, victims) == 1 ? 1u : 0u;
        return victims <= 1 ? 1 : victims * strides;
    }

    static protocol::letter begin(protocol::request_id request, std::uint32_t workers, base::rng&) noexcept {
        protocol::letter t{.request = request};
        const std::uint32_t victims = workers - 1;
        if (victims <= 1) return t;
        t.start = static_cast<std::uint16_t>(order % victims);
        for (std::uint32_t passed = 0;; ++t.stride)
            if (std::gcd(t.stride, victims) == 1 && passed++ == order / victims) return t;
    }

    static std::optional<protocol::worker_id> next(protocol::letter& t, std::uint32_t workers) noexcept {
        return protocol::random_victims::next(t, workers);
    }

    friend bool operator==(const chosen_victims&, const chosen_victims&) noexcept { return true; }
};

}  // namespace parley::inline v0::sim
