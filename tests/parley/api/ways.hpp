// What may be chosen of the machine that the library has here, in combinations: of ours, or of the papers'
// (tests/lab/papers), for tests that are compiled with both.
#pragma once

#include <parley/runtime.hpp>

#include <string>
#include <utility>
#include <vector>

namespace api_test {

using parley::threading::tuning;

#ifdef PARLEY_MACHINE

inline std::vector<tuning> all_ways() {
    using namespace parley::protocol;
    std::vector<tuning> all;
    for (const auto d : {detection::by_manager, detection::by_dedicated_manager, detection::by_shared_counter})
        for (const auto r : {revocation::any, revocation::own})
            for (const auto refuse : {refusal::forwards, refusal::acknowledges}) {
                if (d == detection::by_shared_counter && r == revocation::own) continue;
                tuning t{.early = r == revocation::own ? 2U : 0U, .machine = {d, r, refuse}};
                all.push_back(t);
                for (const auto& [continues, hijacks] :
                     {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
                    if (r == revocation::own) continue;
                    t.early = 2;
                    t.machine.continues = continues;
                    t.machine.hijacks = hijacks;
                    all.push_back(t);
                }
            }
    return all;
}

inline std::string name_of(const tuning& t) {
    using namespace parley::protocol;
    return std::string(name_of(t.machine.detects)) + (t.machine.revokes == revocation::own ? "_own" : "_any") +
           (t.machine.refuses == refusal::forwards ? "_forward" : "_acknowledge") +
           (t.machine.continues ? "_continue" : "") + (t.machine.hijacks ? "_hijack" : "");
}

// One of each.
inline std::vector<tuning> some_ways() {
    using parley::protocol::detection;
    return {{.machine = {detection::by_manager}},
            {.machine = {detection::by_dedicated_manager}},
            {.machine = {detection::by_shared_counter}}};
}

#else

// How much is stolen matters to none of the others: each way has one of the three.
inline std::vector<tuning> all_ways() {
    using namespace parley::threading;
    std::vector<tuning> all;
    for (const auto v : {victims::random, victims::last, victims::last_thief, victims::richest, victims::nearest})
        for (const auto s : {v == victims::random    ? stealing::one
                             : v == victims::richest ? stealing::half
                                                     : stealing::adaptive})
            for (const unsigned requests : {1U, 2U})
                for (const auto f : {failed_requests::rest, failed_requests::backoff})
                    for (const auto d : {dry_mailbox::open, dry_mailbox::closed})
                        all.push_back({.steal = s,
                                       .victim = v,
                                       .requests = requests,
                                       .early = requests == 1 ? 2U : 0U,
                                       .failed = f,
                                       .dry = d});
    return all;
}

inline std::string name_of(const tuning& t) {
    using namespace parley::threading;
    constexpr const char* victim[] = {"random", "last", "last_thief", "richest", "nearest"};
    constexpr const char* steal[] = {"one", "half", "adaptive"};
    return std::string(victim[static_cast<std::size_t>(t.victim)]) + "_" + steal[static_cast<std::size_t>(t.steal)] + "_" +
           std::to_string(t.requests) + (t.failed == failed_requests::rest ? "_rest" : "_backoff") +
           (t.dry == dry_mailbox::open ? "_open" : "_closed");
}

// One of each.
inline std::vector<tuning> some_ways() {
    using namespace parley::threading;
    return {{.requests = 2}, {.early = 2}, {.failed = failed_requests::backoff}, {.dry = dry_mailbox::closed}};
}

#endif

}  // namespace api_test
