// What a policy decides; how it is carried out between sections is the protocol's matter (section.hpp). Policies have
// no state: they read what the section knows, and what they keep of a program moves with it.
#pragma once

#include <broker/policy/decision.hpp>
#include <broker/policy/knowledge.hpp>
#include <broker/policy/message.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace parley::inline v0::broker {

// A core of a program led here, for another program.
struct gift {
    program_id from = 0;  // 0: nobody's, or nobody's in particular
    core_id core = 0;
    bool shared = false;  // both have it then
    reason why = reason::from_inefficient;
    friend bool operator==(const gift&, const gift&) = default;
};

struct sharing {
    section_id whom = 0;
    terms how = terms::any;
    friend bool operator==(const sharing&, const sharing&) = default;
};

// A core that a program led here gives up unasked.
struct release {
    core_id core = 0;
    reason why = reason::beyond_desire;
    friend bool operator==(const release&, const release&) = default;
};

class policy {
public:
    policy() = default;
    policy(const policy&) = delete;
    policy& operator=(const policy&) = delete;
    virtual ~policy() = default;

    // A program comes.
    virtual void welcome(led_program&, const knowledge&) const = 0;
    // A program led here did this in a quantum of that length: its class and desire.
    virtual void judge(led_program&, const program_use&, nanoseconds quantum, const knowledge&) const = 0;
    // Fair shares of all programs, by what is claimed.
    virtual void compute_shares(knowledge&) const {}

    // How many cores a program led here should still get.
    [[nodiscard]] virtual std::uint32_t lacks(const led_program&, const knowledge&) const = 0;
    [[nodiscard]] virtual std::vector<release> releases(const led_program&, const knowledge&) const { return {}; }
    // A core that a program led here gives up for `taker`, which may be led elsewhere.
    [[nodiscard]] virtual std::optional<gift> give(program_id taker, const knowledge&) const = 0;
    // Whom to ask next for a core, if anybody.
    [[nodiscard]] virtual std::optional<section_id> ask(const led_program&, const knowledge&) const = 0;

    // To share a core, or to have one where another program moves: whom to ask, may be this section, and on which
    // terms; and what one answers.
    [[nodiscard]] virtual std::optional<sharing> ask_to_share(const led_program&, const knowledge&) const = 0;
    [[nodiscard]] virtual std::optional<gift> share(program_id taker, terms, const knowledge&) const = 0;
};

}  // namespace parley::inline v0::broker
