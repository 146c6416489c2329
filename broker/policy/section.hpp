// One section of the broker [BI §2.5]: a state machine. Its inputs are what programs do, the end of a quantum, and
// messages of other sections; its outputs messages and decisions. Same inputs, same outputs.
//
// Who may do what, so that no core is ever lost, or held by two programs but on purpose, whatever the order in which
// messages of different pairs arrive:
// - Only its owner changes who holds a core. It tells all.
// - Only its leader takes a core from a program, so nobody loses its last one to two sections at once. For a core of
//   another section it tells that one by RETURN.
// - Whoever has the program's state leads it. The state moves by HANDOVER once the tables say that another section
//   leads, and never while a REQUEST is out; so two never lead at once, and each answer finds who asked.
// - Each REQUEST is answered by one GRANT or DENY, at once.
#pragma once

#include <broker/policy/message.hpp>
#include <broker/policy/policy.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace parley::inline v0::broker {

// Programs choose their weight themselves: not more than this.
inline constexpr std::uint32_t most_weight = 100;

// A program begins; this section is to lead it until it has cores. Once in the program's life, at one section.
// Numbers begin with 1.
struct joining {
    program_id program = 0;
    user_id user = 0;
    std::uint32_t weight = 1;
    std::uint32_t most = unlimited;
    usable_cores usable = {};
    friend bool operator==(const joining&, const joining&) = default;
};
// It has ended, or died: once, at any one section, at any moment.
struct leaving {
    program_id program = 0;
    friend bool operator==(const leaving&, const leaving&) = default;
};
// What a program did in the last quantum; for its leader, ignored by others.
struct sample {
    program_id program = 0;
    program_use use;
    bool asleep = false;  // its process has not run for a while
    friend bool operator==(const sample&, const sample&) = default;
};
// The end of a quantum. Without samples it only allots: after somebody joined or left.
struct quantum {
    nanoseconds length = 0;
    std::vector<sample> samples;
    friend bool operator==(const quantum&, const quantum&) = default;
};
using input = std::variant<joining, leaving, quantum, message>;

struct outcome {
    std::vector<message> messages;  // to be sent in this order
    std::vector<decision> decisions;
    std::vector<program_id> changed;  // led here, with another allotment, class or desire than before; ascending
    friend bool operator==(const outcome&, const outcome&) = default;
};

class section {
public:
    section(section_id self, std::shared_ptr<const ownership> table, std::shared_ptr<const policy> how)
        : known_(self, std::move(table)), how_(std::move(how)) {}

    outcome on(const input&);

    [[nodiscard]] const knowledge& known() const noexcept { return known_; }
    [[nodiscard]] bool leads(program_id p) const { return known_.led.contains(p); }
    // What a program led here may run on.
    [[nodiscard]] const std::map<core_id, std::uint64_t>& allotment(program_id p) const { return known_.led.at(p).cores; }

private:
    void handle(const joining&);
    void handle(const leaving&);
    void handle(const quantum&);
    void handle(const message&);
    void handle(section_id from, const request&);
    void handle(section_id from, const grant&);
    void handle(section_id from, const deny&);
    void handle(section_id from, const return_core&);
    void handle(section_id from, const core_delta&);
    void handle(section_id from, const claim_delta&);
    void handle(section_id from, const end_delta&);
    void handle(section_id from, const handover&);

    // Not inlined: g++ 12 would warn of members of variants that are not there.
    [[gnu::noinline]] void send(section_id to, payload what);
    [[gnu::noinline]] void tell_all(const payload& what);
    void changed(program_id);
    void refresh_shares();

    // Of a core owned here. Returns the stamp.
    std::uint64_t add(core_id, program_id, reason);
    std::uint64_t renew(core_id, program_id, reason);
    void remove(core_id, program_id, reason);

    void end(program_id, section_id said_by);
    void publish(led_program&, bool asleep);
    void settle();
    void give_up_surplus(led_program&);
    void seek(led_program&);
    bool seek_once(led_program&);
    bool seek_to_share(led_program&);
    void ask(led_program&, section_id, terms);
    bool take(led_program&, const gift&);
    void got(led_program&, core_id, std::uint64_t stamp);
    void refused(led_program&);
    void give_back(const grant&);
    // Returns the stamp if the taker has it now; else the core's owner will answer.
    std::optional<std::uint64_t> hand_on(const gift&, program_id taker, section_id leader);
    void hand_over_where_due();
    void seek_for_moved();

    knowledge known_;
    std::shared_ptr<const policy> how_;
    std::uint64_t stamps_ = 0;
    // Shares depend on who holds which core only if claims are equal. That is looked at once per quantum.
    bool shares_are_old_ = true;
    std::deque<message> to_self_;
    std::vector<program_id> moved_;  // have made room in this step, and look for another core at its end
    outcome out_;
};

}  // namespace parley::inline v0::broker
