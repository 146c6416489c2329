// What sections say to each other. Messages from one section to another arrive in the order of their sending; nothing
// is assumed of different pairs.
#pragma once

#include <broker/policy/decision.hpp>
#include <broker/policy/led_program.hpp>
#include <broker/policy/participation.hpp>

#include <cstdint>
#include <optional>
#include <variant>

namespace parley::inline v0::broker {

// REQUEST: a leader wants a core for its program.
struct request {
    program_id program = 0;
    terms how = terms::alone;
    friend bool operator==(const request&, const request&) = default;
};
// GRANT: here it is, taken already; its owner's DELTA went before.
struct grant {
    program_id program = 0;
    core_id core = 0;
    std::uint64_t stamp = 0;
    friend bool operator==(const grant&, const grant&) = default;
};
// DENY: none.
struct deny {
    program_id program = 0;
    friend bool operator==(const deny&, const deny&) = default;
};
// RETURN, to the core's owner: the holder leaves the core, and the next, if there is one, gets it: then the owner
// answers that one's REQUEST in the sender's place.
struct return_core {
    core_id core = 0;
    holding holder;
    bool stays = false;  // and shares with the next
    std::optional<program_id> next = std::nullopt;
    section_id next_leader = 0;
    reason why = reason::beyond_desire;
    friend bool operator==(const return_core&, const return_core&) = default;
};
// DELTA of the participation table, from the core's owner to all.
struct core_delta {
    core_id core = 0;
    holding holder;
    bool holds = false;
    friend bool operator==(const core_delta&, const core_delta&) = default;
};
// DELTA of the claims, from the program's leader to all.
struct claim_delta {
    claim row;
    friend bool operator==(const claim_delta&, const claim_delta&) = default;
};
// DELTA: the program has ended; from everybody to everybody.
struct end_delta {
    program_id program = 0;
    friend bool operator==(const end_delta&, const end_delta&) = default;
};
// HANDOVER: you lead it now.
struct handover {
    led_program state;
    friend bool operator==(const handover&, const handover&) = default;
};

using payload = std::variant<request, grant, deny, return_core, core_delta, claim_delta, end_delta, handover>;

struct message {
    section_id from = 0;
    section_id to = 0;
    payload what;
    friend bool operator==(const message&, const message&) = default;
};

}  // namespace parley::inline v0::broker
