// What is chosen of the workers of a run in virtual time.
#pragma once

#include <lab/papers/circulating.hpp>
#include <lab/papers/circulating_worker.hpp>
#include <lab/papers/either_worker.hpp>
#include <lab/papers/settled.hpp>
#include <parley/detail/policy/nearest.hpp>
#include <parley/detail/policy/strategies.hpp>
#include <parley/detail/policy/tuning.hpp>
#include <parley/options.hpp>

#include <cstdint>
#include <optional>

namespace parley::inline v0::sim::timed {

struct choices : threading::tuning {
    watchdogs watchdog = watchdogs::on;
    std::optional<protocol::circulating> papers = {};  // else requests rest
};

// With what follows from it, as policy/settled_options.cpp. Throws usage_error for what cannot be chosen together.
inline choices settled(choices how, std::uint32_t workers) {
    if (how.papers) {
        protocol::require_papers_way(how, workers, *how.papers);
        how.failed = threading::failed_requests::backoff;
        how.watchdog = watchdogs::off;
    }
    if (how.watchdog == watchdogs::off) how.interrupts_for_every_request = false;
    return how;
}

using worker_of_either =
    protocol::either_worker<threading::protocol_worker,
                            protocol::circulating_worker<threading::chosen_victims, threading::chosen_stealing>>;

// `map`: see threading::strategy_of().
inline worker_of_either worker_with(const choices& how, std::uint32_t workers, std::uint64_t seed, protocol::worker_id id,
                                    const threading::nearest_map* map) {
    const options o{.workers = workers, .seed = seed};
    if (!how.papers) return worker_of_either(threading::worker_with(o, how, id, map));
    return worker_of_either(protocol::circulating_worker(id, workers, threading::seed_of(o, id),
                                                         threading::strategy_of(how.steal),
                                                         threading::strategy_of(how.victim, map), *how.papers));
}

}  // namespace parley::inline v0::sim::timed
