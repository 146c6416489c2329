// One worker of three where requests circulate, for tests of single calls.
#pragma once

#include "tests/parley/protocol/one_thread_medium.hpp"

#include <lab/papers/circulating_worker.hpp>
#include <parley/detail/protocol/stealing.hpp>
#include <parley/detail/protocol/victim.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace protocol_tests {

inline constexpr worker_id manager = 1;

// Of three workers the one in question; the others only receive.
struct among_three {
    explicit among_three(worker_id who, circulating how = {}) : self(who, 3, 7, {}, {}, how), m(h, who), mine(h.at[who]) {}

    // A letter of this thief's first request arrives, which has been to `hops` victims.
    void receives(worker_id thief, status as, std::uint16_t hops = 2) {
        h.at[thief].letter_here = false;
        (void)one_thread_medium(h, thief).send_request(self.id(), {.request = request_of(thief), .hop = hops, .status = as});
    }
    // A message to this manager.
    void is_told(worker_id thief, status what) {
        h.at[thief].letter_here = false;
        one_thread_medium(h, thief).send_message(manager, {.request = request_of(thief), .status = what});
        h.at[manager].attention |= bits::message;
    }
    // The only letter in anybody's mailbox, or among the manager's messages, with its place.
    std::optional<std::pair<worker_id, letter>> only_letter() const {
        std::optional<std::pair<worker_id, letter>> found;
        for (worker_id w = 0; w < 3; ++w)
            for (const auto* const box : {&h.at[w].mailbox, &h.at[w].messages})
                for (const letter& t : *box) {
                    if (found) return std::nullopt;
                    found = {w, t};
                }
        return found;
    }
    void clear() {
        for (place& p : h.at) {
            p.mailbox.clear();
            p.messages.clear();
            p.attention = 0;
        }
    }
    // A round of its own request ends: what it says comes back.
    void comes_home(status as) {
        const auto sent = only_letter();
        clear();
        letter t = sent->second;
        t.hop = 2;
        t.status = as;
        (void)one_thread_medium(h, 0).send_request(self.id(), t);
    }

    house h{3};
    circulating_worker<random_victims, steal_one> self;
    one_thread_medium m;
    place& mine;
};

inline std::ptrdiff_t count(const among_three& w, event e) { return std::count(w.h.events.begin(), w.h.events.end(), e); }

}  // namespace protocol_tests
