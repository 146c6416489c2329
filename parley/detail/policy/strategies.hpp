// Makes the protocol's strategies from the names in a tuning.
#pragma once

#include <parley/detail/policy/nearest.hpp>
#include <parley/detail/policy/tuning.hpp>
#include <parley/detail/protocol/any_of.hpp>
#include <parley/detail/protocol/machine.hpp>
#include <parley/detail/protocol/splitting.hpp>
#include <parley/detail/protocol/stealing.hpp>
#include <parley/detail/protocol/victim.hpp>
#include <parley/detail/protocol/worker.hpp>
#include <parley/options.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

using chosen_stealing = protocol::any_stealing<protocol::steal_adaptive, protocol::steal_one, protocol::steal_half>;
using chosen_splitting = protocol::any_splitting<protocol::split_adaptive, protocol::split_half, protocol::split_guided>;
using nearest_victims = protocol::nearest_first<nearest_places, protocol::random_victims>;
using chosen_victims = protocol::any_victims<protocol::random_victims, protocol::last_victim_first<protocol::random_victims>,
                                             protocol::last_thief_first<protocol::random_victims>,
                                             protocol::richest_of<protocol::random_victims>, nearest_victims>;
using protocol_worker = protocol::machine<chosen_victims, chosen_stealing, protocol::any_requesting>;

inline chosen_stealing strategy_of(stealing s) {
    switch (s) {
        case stealing::one: return chosen_stealing(protocol::steal_one{});
        case stealing::half: return chosen_stealing(protocol::steal_half{});
        case stealing::adaptive: break;
    }
    return chosen_stealing(protocol::steal_adaptive{});
}

inline chosen_splitting strategy_of(splitting s) {
    switch (s) {
        case splitting::half: return chosen_splitting(protocol::split_half{});
        case splitting::guided: return chosen_splitting(protocol::split_guided{});
        case splitting::adaptive: break;
    }
    return chosen_splitting(protocol::split_adaptive{});
}

// `map` is used by the nearest victims only, and must live as long as the strategy.
inline chosen_victims strategy_of(victims v, const nearest_map* map) {
    using others = protocol::random_victims;
    switch (v) {
        case victims::last: return chosen_victims(protocol::last_victim_first<others>{});
        case victims::last_thief: return chosen_victims(protocol::last_thief_first<others>{});
        case victims::richest: return chosen_victims(protocol::richest_of<others>{});
        case victims::nearest: return chosen_victims(nearest_victims({map}));
        case victims::random: break;
    }
    return chosen_victims(others{});
}

inline protocol::any_requesting requesting_of(const tuning& t) noexcept {
    return {.how_many = t.requests,
            .then = t.failed == failed_requests::rest ? protocol::after_failure::rests : protocol::after_failure::comes_home,
            .mailbox = t.dry == dry_mailbox::open ? protocol::when_dry::stays_open : protocol::when_dry::is_closed};
}

// The seed of one worker's random choices.
constexpr std::uint64_t seed_of(const options& o, protocol::worker_id id) noexcept { return o.seed * 1'000'003 + id; }

// `map` is that of strategy_of().
inline protocol_worker worker_with(const options& o, const tuning& t, protocol::worker_id id, const nearest_map* map) {
    return protocol::machine_with(id, o.workers, seed_of(o, id), strategy_of(t.steal), strategy_of(t.victim, map),
                                  requesting_of(t), t.machine);
}

// Makes a worker that is nobody's victim, and has no place among the nearest (seats.cpp).
inline protocol_worker visitor_with(const options& o, const tuning& t, protocol::worker_id id) {
    return protocol_worker(protocol::worker<chosen_victims, chosen_stealing, protocol::any_requesting>(
        id, o.workers, seed_of(o, id), strategy_of(t.steal), {}, requesting_of(t)));
}

}  // namespace parley::inline v0::threading
