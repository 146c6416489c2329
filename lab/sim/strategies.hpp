// Every combination of strategies, chosen by numbers: one type of worker for all of them.
#pragma once

#include <lab/papers/circulating.hpp>
#include <lab/papers/circulating_worker.hpp>
#include <lab/papers/either_worker.hpp>
#include <lab/sim/chosen_victims.hpp>
#include <parley/detail/protocol/any_of.hpp>
#include <parley/detail/protocol/stealing.hpp>
#include <parley/detail/protocol/victim.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::sim {

struct strategies {
    enum class victim : std::uint8_t { any, last, last_thief, richest, nearest };
    enum class steal : std::uint8_t { one, half, adaptive };

    victim victims = victim::any;
    steal stealing = steal::one;
    protocol::any_requesting requesting = {};
    std::uint32_t early_below = 0;                     // see tuning::early
    std::optional<protocol::circulating> papers = {};  // else requests rest
    bool briefly = false;                              // one answer to those that rest for each look (policy/pace.hpp)
    friend bool operator==(const strategies&, const strategies&) = default;
};

inline constexpr std::array victim_names{"any", "last", "last-thief", "richest", "nearest"};
inline constexpr std::array steal_names{"one", "half", "adaptive"};
inline constexpr std::array detection_names{"manager", "dedicated", "counter"};

// As the command of the explorer takes it.
inline std::string name_of(const strategies& s) {
    std::string name = std::string(victim_names[static_cast<std::size_t>(s.victims)]) + "," +
                       steal_names[static_cast<std::size_t>(s.stealing)];
    if (s.requesting.how_many == 2) name += ",two";
    if (s.requesting.then == protocol::after_failure::comes_home) name += ",backoff";
    if (s.requesting.mailbox == protocol::when_dry::is_closed) name += ",closed";
    if (s.early_below > 0) name += ",early";
    if (s.briefly) name += ",brief";
    if (s.papers) name += std::string(",") + detection_names[static_cast<std::size_t>(s.papers->detects)];
    if (s.papers && s.papers->revokes == protocol::revocation::own) name += ",own";
    if (s.papers && s.papers->refuses == protocol::refusal::acknowledges) name += ",acknowledge";
    if (s.papers && s.papers->continues) name += ",continue";
    if (s.papers && s.papers->hijacks) name += ",hijack";
    return name;
}

inline std::vector<strategies> all_strategies() {
    std::vector<strategies> all;
    for (std::uint8_t v = 0; v < victim_names.size(); ++v)
        for (std::uint8_t s = 0; s < steal_names.size(); ++s)
            for (std::uint32_t requests = 1; requests <= protocol::most_requests; ++requests)
                for (const auto then : {protocol::after_failure::rests, protocol::after_failure::comes_home})
                    for (const auto dry : {protocol::when_dry::stays_open, protocol::when_dry::is_closed})
                        for (const std::uint32_t early : {0u, 2u})
                            all.push_back({static_cast<strategies::victim>(v),
                                           static_cast<strategies::steal>(s),
                                           {requests, then, dry},
                                           early});
    return all;
}

// A worker that answers one at a time, whatever it does otherwise.
inline std::vector<strategies> all_brief() {
    std::vector<strategies> all;
    for (strategies s : all_strategies()) {
        if (s.requesting.mailbox == protocol::when_dry::is_closed) continue;
        s.briefly = true;
        all.push_back(s);
    }
    return all;
}

// The papers' way: with one request, and its own kind of pauses.
inline std::vector<strategies> all_circulating() {
    using namespace protocol;
    std::vector<strategies> all;
    for (std::uint8_t v = 0; v < victim_names.size(); ++v)
        for (std::uint8_t s = 0; s < steal_names.size(); ++s)
            for (const std::uint32_t early : {0u, 2u})
                for (const auto detects :
                     {detection::by_manager, detection::by_dedicated_manager, detection::by_shared_counter})
                    for (const auto revokes : {revocation::any, revocation::own})
                        for (const auto refuses : {refusal::forwards, refusal::acknowledges}) {
                            // A counter needs no revocation.
                            if (detects == detection::by_shared_counter && revokes == revocation::own) continue;
                            all.push_back({static_cast<strategies::victim>(v),
                                           static_cast<strategies::steal>(s),
                                           {},
                                           early,
                                           circulating{detects, revokes, refuses}});
                        }
    return all;
}

// The same where requests are continued, hijacked or both, which needs no more than one kind of revocation.
inline std::vector<strategies> all_loading() {
    std::vector<strategies> all;
    for (const strategies& s : all_circulating()) {
        if (s.stealing != strategies::steal::half || s.papers->revokes == protocol::revocation::own) continue;
        for (const auto& [continues, hijacks] : {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
            all.push_back(s);
            all.back().papers->continues = continues;
            all.back().papers->hijacks = hijacks;
        }
    }
    return all;
}

// Neighbours 2k and 2k + 1 are near each other, all others are far.
struct pairs {
    static protocol::worker_id victim(protocol::worker_id thief, std::uint32_t i, std::uint32_t workers) noexcept {
        const protocol::worker_id neighbour = thief ^ 1u;
        if (neighbour >= workers) return (thief + 1 + i) % workers;
        if (i == 0) return neighbour;
        const std::uint32_t far = i - 1;  // number `far` of those that are no neighbours
        return far < (thief & ~1u) ? far : far + 2;
    }
    static std::pair<std::uint32_t, std::uint32_t> equally_near(protocol::worker_id thief, std::uint32_t i,
                                                                std::uint32_t workers) noexcept {
        if ((thief ^ 1u) >= workers) return {0, workers - 1};
        if (i == 0) return {0, 1};
        return {1, workers - 1};
    }
    friend bool operator==(const pairs&, const pairs&) noexcept { return true; }
};

// `Order` is random_victims, or chosen_victims where all of its choices are explored. An interval of two is
// enough for adaptive stealing to change its mind in small programs.
template <class Order>
using any_order = protocol::any_victims<Order, protocol::last_victim_first<Order>, protocol::last_thief_first<Order>,
                                        protocol::richest_of<Order>, protocol::nearest_first<pairs, Order>>;
using any_amount = protocol::any_stealing<protocol::steal_one, protocol::steal_half, protocol::steal_adaptive_after<2>>;

template <class Order>
class any_worker : public protocol::either_worker<protocol::worker<any_order<Order>, any_amount, protocol::any_requesting>,
                                                  protocol::circulating_worker<any_order<Order>, any_amount>> {
    using victims = any_order<Order>;
    using stealing = any_amount;
    using resting = protocol::worker<victims, stealing, protocol::any_requesting>;
    using circulating = protocol::circulating_worker<victims, stealing>;
    using either = protocol::either_worker<resting, circulating>;

public:
    any_worker(protocol::worker_id self, std::uint32_t workers, std::uint64_t seed, const strategies& s)
        : either(s.papers
                     ? either(circulating(self, workers, seed, stealing_of(s.stealing), victims_of(s.victims), *s.papers))
                     : either(resting(self, workers, seed, stealing_of(s.stealing), victims_of(s.victims), s.requesting))),
          briefly_(s.briefly) {}

    // As a producer that is asked by very many does at times; here at all times.
    template <protocol::medium M>
    bool serve(M& m) {
        return briefly_ ? either::serve_briefly(m) : either::serve(m);
    }

    friend bool operator==(const any_worker&, const any_worker&) = default;

private:
    static stealing stealing_of(strategies::steal s) {
        switch (s) {
            case strategies::steal::half: return stealing(protocol::steal_half{});
            case strategies::steal::adaptive: return stealing(protocol::steal_adaptive_after<2>{});
            case strategies::steal::one: break;
        }
        return stealing(protocol::steal_one{});
    }
    static victims victims_of(strategies::victim v) {
        switch (v) {
            case strategies::victim::last: return victims(protocol::last_victim_first<Order>{});
            case strategies::victim::last_thief: return victims(protocol::last_thief_first<Order>{});
            case strategies::victim::richest: return victims(protocol::richest_of<Order>{});
            case strategies::victim::nearest: return victims(protocol::nearest_first<pairs, Order>{});
            case strategies::victim::any: break;
        }
        return victims(Order{});
    }

    bool briefly_;
};

}  // namespace parley::inline v0::sim
