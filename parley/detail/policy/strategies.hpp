// The strategies that the options name, as the protocol takes them.
#pragma once

#include <parley/detail/protocol/any_of.hpp>
#include <parley/detail/protocol/circulating_worker.hpp>
#include <parley/detail/protocol/either_worker.hpp>
#include <parley/detail/protocol/splitting.hpp>
#include <parley/detail/protocol/stealing.hpp>
#include <parley/detail/protocol/victim.hpp>
#include <parley/detail/protocol/worker.hpp>
#include <parley/detail/policy/nearest.hpp>
#include <parley/options.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

using chosen_stealing =
    protocol::any_stealing<protocol::steal_adaptive, protocol::steal_one, protocol::steal_half>;
using chosen_splitting =
    protocol::any_splitting<protocol::split_adaptive, protocol::split_half, protocol::split_guided>;
using nearest_victims = protocol::nearest_first<nearest_places, protocol::random_victims>;
using chosen_victims =
    protocol::any_victims<protocol::random_victims, protocol::last_victim_first<protocol::random_victims>,
                          protocol::last_thief_first<protocol::random_victims>,
                          protocol::richest_of<protocol::random_victims>, nearest_victims>;
using resting_worker = protocol::worker<chosen_victims, chosen_stealing, protocol::any_requesting>;
using circulating_worker = protocol::circulating_worker<chosen_victims, chosen_stealing>;
using protocol_worker = protocol::either_worker<resting_worker, circulating_worker>;

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

// `map`: for the nearest; must live as long as the strategy.
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

inline protocol::any_requesting requesting_of(const options& o) noexcept {
    return {.how_many = o.requests,
            .then = o.failed == failed_requests::rest ? protocol::after_failure::rests
                                                      : protocol::after_failure::comes_home,
            .mailbox = o.dry == dry_mailbox::open ? protocol::when_dry::stays_open
                                                  : protocol::when_dry::is_closed};
}

inline protocol::circulating circulating_of(const options& o) noexcept {
    return {.detects = o.termination == termination_by::counter             ? protocol::detection::by_shared_counter
                       : o.termination == termination_by::dedicated_manager ? protocol::detection::by_dedicated_manager
                                                                            : protocol::detection::by_manager,
            .revokes = o.revoke == revoked_request::any ? protocol::revocation::any : protocol::revocation::own,
            .refuses = o.refuse == refusal::forward ? protocol::refusal::forwards : protocol::refusal::acknowledges,
            .continues = o.continue_requests,
            .hijacks = o.hijack};
}

// `map`: see strategy_of().
inline protocol_worker worker_with(const options& o, protocol::worker_id id, const nearest_map* map) {
    const std::uint64_t seed = o.seed * 1'000'003 + id;
    if (o.termination == termination_by::scan)
        return protocol_worker(resting_worker(id, o.workers, seed, strategy_of(o.steal), strategy_of(o.victim, map),
                                              requesting_of(o)));
    return protocol_worker(circulating_worker(id, o.workers, seed, strategy_of(o.steal), strategy_of(o.victim, map),
                                              circulating_of(o)));
}

// Of a worker that is nobody's victim, and not one of those among which the nearest are known (seats.cpp).
inline protocol_worker visitor_with(const options& o, protocol::worker_id id) {
    return protocol_worker(resting_worker(id, o.workers, o.seed * 1'000'003 + id, strategy_of(o.steal), {},
                                          requesting_of(o)));
}

}  // namespace parley::inline v0::threading
