// A worker in a task weighs what it has: is it worth giving to thieves that run, and is it worth waking one
// (policy/weighing.hpp, docs/internals/weighing.md)?
//
// A sleeper gets no tasks. Its victim would wait for them until the sleeper has got up and has a processor. So the
// sleeper is woken, and asks when it runs.
#pragma once

#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/watching.hpp>
#include <parley/detail/policy/weighing.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/request.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace parley::inline v0::threading {

inline constexpr weighing::duration next_look_while_young = std::chrono::nanoseconds(800);
inline constexpr weighing::duration next_look_while_nobody_runs = std::chrono::microseconds(4);

// Weighing asks a host for these besides.
template <class H>
concept weighs = host<H> && requires(H h, typename H::medium m, std::chrono::steady_clock::time_point now,
                                     protocol::worker_id w, weighing::duration least) {
    { m.nearly_all_rest() } -> std::same_as<bool>;        // nearly all of the others that are awake?
    { h.may_keep() } -> std::same_as<bool>;               // would somebody interrupt it?
    { h.only_work_is_wanted() } -> std::same_as<bool>;    // do only resting requests want it to look up?
    { h.has_something_in_hand() } -> std::same_as<bool>;  // does it have work that nobody can weigh?
    { h.has_own_share() } -> std::same_as<bool>;          // does it keep a part of a short loop for itself?
    // How long the rest of a loop lasts: the first one that lasts at least so long. 0: all are shorter. Empty:
    // there is no loop.
    { h.loop_lasts(least, now) } -> std::same_as<std::optional<weighing::duration>>;
    { h.has_lost_its_core(now) } -> std::same_as<bool>;           // since the last call
    { h.runs(w, now) } -> std::same_as<bool>;                     // has that worker looked for work a moment ago?
    { h.is_on_its_way(w) } -> std::same_as<bool>;                 // was that worker woken, and has not got up yet?
    { h.anybody_rests() } -> std::same_as<bool>;                  // does the lobby hold the request of another worker?
    { h.one_that_rests() } -> std::same_as<protocol::worker_id>;  // asleep and not woken yet; no_worker: there is none
    { h.code_of_newest() } -> std::same_as<std::uintptr_t>;       // the function that runs it; 0: it was taken
    h.keeps_since(now);
};

// Returns how old the work is that this worker makes tasks of. The time in which others had its processor does not
// count.
template <weighs Host>
weighing::duration age(Host h, weighing::clock::time_point now) noexcept {
    weighed& w = h.weighed();
    const weighing::duration is_long = w.weight.worth_waking();
    if (w.work.not_seen_for(now) >= is_long && h.has_lost_its_core(now)) w.work.leave_out(now);
    return w.work.lasts(now, is_long);
}

// What is left must last so long to be given to a thief that runs.
template <weighs Host>
weighing::duration worth_giving(Host h) noexcept {
    const weighing& weight = h.weighed().weight;
    return h.queued() == 0 ? weight.worth_splitting() : weight.worth_feeding();
}

// Returns how long this worker's work will last at least.
template <weighs Host>
weighing::duration lasts(Host h, weighing::clock::time_point now) noexcept {
    if (h.has_something_in_hand()) return weighing::duration::max();
    const auto loops = h.loop_lasts(worth_giving(h), now);
    if (h.queued() == 0) return loops.value_or(weighing::duration::max());
    // Short tasks must not hide a loop around them.
    return std::max(age(h, now), loops.value_or(weighing::duration(0)));
}

// Keeps the work for now. If this worker does not look again, the sleeper in charge of the watch is to interrupt it.
template <weighs Host>
void keep_for_now(Host h, weighing::clock::time_point now, weighing::duration until_next_look,
                  bool carefully = false) noexcept {
    ask_to_be_watched(h);
    h.weighed().look.again_after(until_next_look, now, carefully);
}

// Learns how long a sleeper takes to come. It counts only if this worker has looked often enough to know.
template <weighs Host>
void look_after_whom_it_has_woken(Host h, weighing::clock::time_point now) noexcept {
    constexpr weighing::duration often_enough = std::chrono::microseconds(20);
    somebody_woken& woken = h.weighed().woken;
    if (woken.whom == protocol::no_worker) return;
    if (!h.is_on_its_way(woken.whom)) {
        if (now - woken.seen_at < often_enough) h.weighed().weight.has_come(now - woken.at);
        woken.whom = protocol::no_worker;
    }
    woken.seen_at = now;
}

// Wakes one sleeper, by a system call. That one wakes the next, if it gets enough.
template <weighs Host>
void wake_one(Host h, typename Host::medium& m) noexcept {
    const protocol::worker_id whom = h.one_that_rests();
    if (whom == protocol::no_worker) return;
    weighed& w = h.weighed();
    const auto before = h.now();
    w.woken = {whom, before, before};
    m.raise_and_wake(whom, protocol::bits::news);
    w.weight.has_woken(h.now() - before);
    w.row.has_woken();
}

// Answers protocol::keeps_back(). `thief` is no_worker for requests that rest.
template <weighs Host>
bool keeps_back(Host h, protocol::worker_id thief) noexcept {
    if (h.weighed().waits || !h.may_keep()) return false;
    const auto now = h.now();
    weighing& weight = h.weighed().weight;
    weight.has_answered(now, h.sent());
    if (lasts(h, now) < worth_giving(h)) {
        keep_for_now(h, now, next_look_while_young);
        return true;
    }
    if (thief != protocol::no_worker) return !h.runs(thief, now);
    look_after_whom_it_has_woken(h, now);
    weight.answers(now, h.sent());
    return false;
}

// Answers protocol::leaves_at_rest(). Only a thief that runs is fed. A sleeper is woken where that pays, and this worker
// looks again. I9: if nobody is seen to run for long, or if the handler of signals cannot give what this worker has,
// anybody is fed.
template <weighs Host>
bool leaves_at_rest(Host h, typename Host::medium& m) noexcept {
    weighed& w = h.weighed();
    if (w.waits || h.has_something_in_hand() || !h.may_keep()) return false;
    const auto now = h.now();
    look_after_whom_it_has_woken(h, now);
    // Withdrawn requests are still in the lobby. Looking there takes them out, and the lobby bit goes down.
    if (!h.anybody_rests()) {
        h.keeps_nothing();
        return false;
    }
    const weighing::duration is_long = w.weight.worth_waking();
    if (w.woken.whom == protocol::no_worker && (w.row.is_worth_waking(now, is_long) || lasts(h, now) >= is_long))
        wake_one(h, m);
    if (w.nobody.for_long(now, h.sent())) return false;
    keep_for_now(h, now, next_look_while_nobody_runs);
    return true;
}

// Called after a fork whose record lies at `frame`, or a spawn in `scope`. True: the worker need not look up. The first
// look at a burst costs a look at the clock, and most of the next ones nothing. Tasks inside of a wait belong to what
// the wait is for.
template <weighs Host>
bool keeps_to_itself(Host h, std::uintptr_t frame, std::uint64_t scope) noexcept {
    weighed& w = h.weighed();
    const bool is_over = scope == 0 ? w.work.is_over_at(frame) : w.work.is_over_in(scope);
    const bool is_first = h.depth() == 0 && is_over && h.queued() <= 1;
    if (!is_first && !h.says_that_it_has_looked() && w.look.looks_away()) return h.only_work_is_wanted();
    if (!h.only_work_is_wanted() || h.is_to_go() || !h.may_keep()) return false;
    const auto now = h.now();
    w.look.begins();
    if (is_first) {
        [[maybe_unused]] const auto last = h.acts_on_signals_later();
        [[maybe_unused]] const auto here = h.uninterrupted();  // the handler of signals notes how long bursts lasted, too
        w.work.begin(frame, scope, h.code_of_newest(), now, w.weight, w.row, h.sent() == w.sent_before);
        w.sent_before = h.sent();
        h.machine().serves_everybody();
        // I9: bursts inside a loop follow each other, and must not make the loop look as young as they are.
        if (!h.loop_lasts(w.weight.worth_splitting(), now)) h.keeps_since(now);
        h.has_not_looked();
    }
    if (h.says_that_it_has_looked() || lasts(h, now) >= w.weight.worth_feeding()) return false;
    keep_for_now(h, now, next_look_while_young, scope == 0);
    return true;
}

// The wait for that scope is over. How long its burst lasted is known if nothing was given away meanwhile.
template <weighs Host>
void has_awaited(Host h, std::uint64_t scope) noexcept {
    weighed& w = h.weighed();
    if (w.work.was_awaited_in(scope) && h.sent() == w.sent_before) w.work.ends(h.now());
}

template <weighs Host, class Part>
bool both_halves_pay(Host h, const Part& part) noexcept {
    return part.times.last_at_least(part.left()) >= 2 * h.weighed().weight.worth_splitting();
}

// A part of a loop begins that comes from another worker, perhaps with others to serve. If both halves are worth giving,
// they are served before the first block, so that work spreads as a tree (docs/internals/spreading.md).
template <weighs Host, class Part>
void part_begins(Host h, Part& part, bool is_the_only_one) {
    const protocol::range& serves = h.machine().serves();
    if (serves.is_everybody()) return;
    if (!serves.is_nobody() && both_halves_pay(h, part)) {
        if (h.is_wanted()) h.serve_others();
        return;
    }
    if (!is_the_only_one || h.has_something_in_hand() || !h.may_keep()) return;
    const auto now = h.now();
    part.own.begins(part.left(), part.times, now);
    h.keeps_since(now);
}

// A loop begins whose iterations took so long the last time. It is divided before its first block only if nearly all others
// rest. Those that have just ended the loop before are about to.
template <weighs Host, class Part>
void loop_begins_again(Host h, Part& part, bool is_the_only_one) {
    if (!is_the_only_one || !h.is_wanted() || !both_halves_pay(h, part)) return;
    if (h.look_at_others().nearly_all_rest()) h.serve_others();
}

// Called after a loop of one index, which has nothing to give. True: the worker need not look up, because only thieves want
// something, and it has nothing for them. A look costs as much as many such loops.
template <weighs Host>
bool has_nothing_for_thieves(Host h) noexcept {
    const bool has_loop = h.loop_lasts({}, {}).has_value();
    return h.only_work_is_wanted() && h.queued() == 0 && !has_loop && !h.has_something_in_hand();
}

// Called after a block of a loop. `left`: iterations that have not begun. True: the worker need not look up, because the
// loop is the only work and not worth giving. The worker looks again after one of the next blocks.
template <weighs Host>
bool keeps_to_itself(Host h, loop_times& loop, std::uint64_t left, bool is_the_only_one) noexcept {
    if (!h.only_work_is_wanted() || h.says_that_it_has_looked()) return false;
    if (h.queued() > 0 || h.has_something_in_hand() || !is_the_only_one) return false;
    if (loop.last_at_least(left) >= h.weighed().weight.worth_splitting() || !h.may_keep()) return false;
    loop.need_not_look();
    return true;
}

}  // namespace parley::inline v0::threading
