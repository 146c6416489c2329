// What the words of tuning_words.hpp mean to the library, whichever machine it has here.
#pragma once

#include <parley/detail/policy/tuning.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include "lab/peers/tuning_words.hpp"

namespace parley_peers::inline v0 {

// With one choice changed; words are known to be allowed.
[[nodiscard]] constexpr ::parley::threading::tuning tuned_by(std::string_view key, std::string_view word,
                                                             ::parley::threading::tuning t) {
    using namespace ::parley::threading;
    const auto number = [&] {
        unsigned n = 0;
        for (const char digit : word) n = 10 * n + static_cast<unsigned>(digit - '0');
        return n;
    };
    if (key == "steal") t.steal = word == "one" ? stealing::one : word == "half" ? stealing::half : stealing::adaptive;
    if (key == "split")
        t.split = word == "half" ? splitting::half : word == "guided" ? splitting::guided : splitting::adaptive;
    if (key == "victim") {
        for (const victims v : {victims::random, victims::last, victims::last_thief, victims::richest, victims::nearest}) {
            if (tuning_words::victim[static_cast<std::size_t>(v)] == word) t.victim = v;
        }
    }
    if (key == "early") t.early = number();
    if (key == "requests") t.requests = number();
    if (key == "failed") t.failed = word == "rest" ? failed_requests::rest : failed_requests::backoff;
    if (key == "patience") t.patience = number();
    if (key == "answers") t.answers = word == "paced" ? answering::paced : answering::at_once;
    if (key == "dry") t.dry = word == "open" ? dry_mailbox::open : dry_mailbox::closed;
    if (key == "watchdog") t.interrupts_for_every_request = word == "every-request";
#ifdef PARLEY_MACHINE
    namespace protocol = ::parley::protocol;
    if (key == "termination") {
        t.machine.detects = word == "counter"     ? protocol::detection::by_shared_counter
                            : word == "dedicated" ? protocol::detection::by_dedicated_manager
                                                  : protocol::detection::by_manager;
    }
    if (key == "revoke") t.machine.revokes = word == "own" ? protocol::revocation::own : protocol::revocation::any;
    if (key == "refuse")
        t.machine.refuses = word == "forward" ? protocol::refusal::forwards : protocol::refusal::acknowledges;
    if (key == "continue") t.machine.continues = number() == 1;
    if (key == "hijack") t.machine.hijacks = number() == 1;
#endif
    return t;
}

[[nodiscard]] inline ::parley::threading::tuning tuned_by(const tuning_choices& choices) {
    ::parley::threading::tuning t;
    for (const auto& [key, word] : choices) t = tuned_by(key, word, t);
    return t;
}

}  // namespace parley_peers::inline v0
