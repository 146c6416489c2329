// A worker does this when its attention word is not zero, in a task and between two of them.
#pragma once

#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/states.hpp>
#include <parley/detail/driver/watching.hpp>
#include <parley/detail/policy/weighing.hpp>
#include <parley/detail/protocol/bits.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

template <host Host>
void serve_others(Host h, bool briefly) {
    h.puts_off() = briefly;
    // A signal that comes during the look acts after it. Otherwise a worker that looks often would seldom be interrupted.
    [[maybe_unused]] const auto last = h.acts_on_signals_later();
    auto m = h.look_at_others();  // while it lives, no signal handler notes times of this worker
    [[maybe_unused]] const auto here = h.begins_to_serve();
    auto& machine = h.machine();
    const std::uint64_t before = h.sent();
    const bool had_own_share = h.has_own_share();
    weighing& weight = h.weighed().weight;
    h.weighed().look.begins();
    // Where requests circulate, others may send faster than this worker forwards. So it stops after as many as there
    // can be.
    for (std::uint32_t left = 2 * h.size(); left > 0 && (briefly ? machine.serve_briefly(m) : machine.serve(m)); --left) {}
    if (weight.is_answering()) weight.has_answered(h.now(), h.sent());
    if (h.sent() != before) {
        // I9: what it keeps is young once, and not again after each answer.
        if (h.has_own_share() && !had_own_share) h.keeps_since(h.now());
        else h.keeps_nothing();
    }
    h.show_whether_it_has_looked(m.spare() > 0);
}

// Bits that are neither requests nor news are served at once. A worker that puts requests off has not offered what it has
// made since it last looked, and may make no more. So it asks to be watched. If it turns to something long it is
// interrupted, 100 us after its last answer (docs/internals/watchdog.md).
template <host Host>
void serve_at_pace(Host h) {
    const protocol::bits::word wanted = h.attention();
    const bool may_wait = (wanted & ~(protocol::bits::mail | protocol::bits::lobby | protocol::bits::news)) == 0;
    const auto begin = h.now();
    if (may_wait && h.policy().answer_pace.is_too_soon(begin)) {
        // A thief that gets one task at a time tells of its end at once. That must not make it get one at a time again.
        if ((wanted & protocol::bits::news) != 0) h.look_at_others().lower(protocol::bits::news);
        if (!h.puts_off()) h.keeps_since(begin);
        if (!h.puts_off() || h.says_that_it_has_looked()) ask_to_be_watched(h);
        h.puts_off() = true;
        return;
    }
    const std::uint64_t before = h.sent();
    const bool briefly = h.policy().answer_pace.is_flooded(begin);
    serve_others(h, briefly);
    if (briefly) ask_to_be_watched(h);
    if (h.sent() == before) return;
    const auto end = h.now();
    h.policy().answer_pace.answered(begin, end);
    if (briefly) h.keeps_since(end);
}

// Something wants this worker to look up. A worker that is to go also gives up what it has not begun (resizing.hpp).
template <host Host>
void look_up(Host h, bool at_pace) {
    if (at_pace && h.paces_answers()) serve_at_pace(h);
    else serve_others(h, false);
    if (!h.is_to_go()) h.set_hand(hand::no);
    else if (h.takes_work() && h.lends() == hand::no) h.give_up_tasks();
}

}  // namespace parley::inline v0::threading
