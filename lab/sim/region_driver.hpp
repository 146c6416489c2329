// A virtual worker in what lies between two of its tasks' own steps: waits for what anybody may wait for, locks, isolated
// regions (runtime/isolation.hpp) and blocking ones (runtime/blocking.cpp, runtime/stand_ins.cpp).
//
// What the threads do is asked of the medium where a test has it done wrong (see virtual_rules.hpp).
#pragma once

#include <lab/sim/agent_driver.hpp>
#include <lab/sim/virtual_rules.hpp>
#include <parley/detail/base/completion_word.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace parley::inline v0::sim {

template <class Medium, class Machine>
class region_driver : protected agent_driver<Medium, Machine> {
protected:
    using base = agent_driver<Medium, Machine>;
    using base::all_, base::shared_, base::who_, base::driving_;
    using base::did;

    region_driver(scene<Machine>& all, protocol::worker_id self, const driving& d)
        : base(all, self, all.workers[self], d), me_(all.workers[self]), mine_(all.shared.workers[self]) {}

    // A handler of the protocol, on a copy of its state that is kept if it comes to the end.
    template <class Handler>
    std::optional<bool> handle(const Handler& handler) {
        Machine copy = me_.machine;
        const std::optional<bool> result = this->go_on(false, [&](Medium& m) { return call(handler, copy, m); });
        if (result) me_.machine = copy;
        return result;
    }
    // The same for a handler that leads to one place.
    template <class Handler>
    bool handle_then(point next, const Handler& handler) {
        if (!handle(handler)) return false;
        me_.at = next;
        return true;
    }
    void wait(frame_kind kind, task_id t = no_task) {
        me_.stack.push_back({.kind = kind, .task = t});
        me_.at = point::looking;
    }
    [[nodiscard]] bool is_to_go() const { return shared_.is_to_go(who_); }

    // --- the instructions ------------------------------------------------------------------------
    void begin_region(frame& f, const instruction& i) {
        switch (i.what) {
            case action::await: await(f, i.operand); break;
            case action::lock: lock(f, i.operand); break;
            case action::unlock:
                ++f.pc;
                shared_.locks[i.operand] = false;
                did(operation::unlock, i.operand);
                break;
            case action::isolate:
                ++f.pc;
                isolate(f);
                break;
            case action::end_isolation:
                ++f.pc;
                end_isolation(f);
                break;
            case action::block: block(f); break;
            case action::hold_until_done_elsewhere:
                if (shared_.elsewhere.done) ++f.pc;
                did(operation::work, f.task);
                break;
            default: end_block(f); break;
        }
    }

    // completion::announce(), and the wait if that was in time.
    void await(frame& f, task_id t) {
        ++f.pc;
        std::uint32_t& word = shared_.tasks[t].waiters;
        const bool in_time = word != parley::base::completion_word::done;
        if (in_time) {
            word = Medium::announced(word, waiter_number(who_));
            wait(frame_kind::await, t);
        }
        did(operation::announce, t, 0, encode(in_time));
    }
    // It looks at nothing while it is locked out.
    void lock(frame& f, std::uint32_t number) {
        const bool is_free = !shared_.locks[number];
        me_.at = is_free ? point::in_code : point::locked_out;
        if (is_free) ++f.pc;
        shared_.locks[number] = true;
        did(operation::lock, number, 0, encode(is_free));
    }

    // --- isolation -------------------------------------------------------------------------------
    void isolate(frame& f) {
        f.was_isolated = mine_.isolated;
        f.held_before = mine_.held;
        f.held_then = mine_.held = static_cast<std::uint32_t>(mine_.deque.size());
        mine_.isolated = true;
    }
    // Thieves have taken some of those that were held, the oldest first.
    void end_isolation(frame& f) {
        const std::uint32_t taken = f.held_then - std::min(f.held_then, mine_.held);
        mine_.held = f.held_before - std::min(f.held_before, taken);
        mine_.isolated = f.was_isolated;
        f.was_isolated = false;
        f.held_before = f.held_then = 0;
    }
    // A turn of its wait loop: it serves, and takes nothing.
    void wait_alone() {
        switch (me_.at) {
            case point::serving_alone: serve_alone(); break;
            case point::withdrawing_alone:
                if (handle([](Machine& p, Medium& m) { p.withdraw(m); })) hand_on_then(handing::to_sleep);
                break;
            default: receive_late(); break;
        }
    }
    void serve_alone() {
        if (!handle([](Machine& p, Medium& m) { (void)p.serve(m); })) return;
        const bool sleeps = driving_.decide.choose(choice::advice, 3) != 0;
        me_.at = sleeps ? point::withdrawing_alone : point::looking;
    }
    void receive_late() {
        const auto received = handle([](Machine& p, Medium& m) {
            if constexpr (requires { p.receive(m); }) return p.receive(m);
            else return false;
        });
        if (!received) return;
        if (*received) {
            hand_on_then(handing::to_sleep);
        } else {
            me_.asks = protocol::asking::nothing;
            me_.waits_alone = true;
            me_.hands_on = handing::to_go;
            me_.at = point::falling_asleep;
        }
    }
    void hand_on_then(handing why) {
        me_.hands_on = why;
        me_.has_left = false;
        me_.at = point::handing_on;
    }

    // --- blocking --------------------------------------------------------------------------------
    // Whoever rests in the lobby would take what there is: then nobody need stand in.
    void block(frame& f) {
        ++f.pc;
        me_.lends = shared_.lobby == 0 && all_.worker_count() > shared_.size;
        me_.at = me_.lends ? point::lending : point::serving_to_block;
        did(operation::look, who_, 0, encode(me_.lends));
    }
    void end_block(frame& f) {
        ++f.pc;
        me_.blocks = false;
        me_.at = me_.lends ? point::taking_back : point::entering_again;
    }
    void begin_or_end_block() {
        switch (me_.at) {
            case point::lending:
                me_.at = point::calling_stand_ins;
                me_.next = shared_.size;
                did(operation::lend, 0, ++shared_.lent);
                break;
            case point::calling_stand_ins: call_stand_in(); break;
            case point::serving_to_block:
                handle_then(point::withdrawing_to_block, [](Machine& p, Medium& m) { (void)p.serve(m); });
                break;
            case point::withdrawing_to_block:
                if (handle([](Machine& p, Medium& m) { p.withdraw(m); })) hand_on_then(handing::to_block);
                break;
            case point::taking_back:
                me_.at = point::calling_back_stand_ins;
                me_.next = shared_.size;
                did(operation::take_back, 0, --shared_.lent);
                break;
            case point::calling_back_stand_ins: call_back_stand_in(); break;
            default:
                handle_then(me_.stack.back().kind == frame_kind::visit ? point::looking : point::in_code,
                            [](Machine& p, Medium& m) { p.enter(m); });
                break;
        }
    }
    void is_blocked() {
        me_.hands_on = handing::to_go;
        me_.has_left = false;
        me_.blocks = true;
        me_.at = point::in_code;
    }
    void call_stand_in() {
        const protocol::worker_id w = me_.next++;
        const bool is_last = me_.next - shared_.size >= shared_.lent || me_.next == all_.worker_count();
        if (is_last) after_stand_ins(point::serving_to_block);
        this->raise_and_wake(w, bits::news);
    }
    // One that works sees it at its next look; nobody is woken.
    void call_back_stand_in() {
        const protocol::worker_id w = me_.next++;
        if (me_.next == all_.worker_count()) after_stand_ins(point::entering_again);
        member& m = shared_.workers[w];
        if ((m.attention & asleep_mark) == 0) m.attention |= bits::news;
        did(operation::raise, w, bits::news);
    }
    void after_stand_ins(point next) {
        me_.next = 0;
        me_.lends = me_.lends && next == point::serving_to_block;
        me_.at = next;
    }

    virtual_worker<Machine>& me_;
    member& mine_;

private:
    template <class Handler>
    static bool call(const Handler& handler, Machine& p, Medium& m) {
        if constexpr (std::is_void_v<std::invoke_result_t<const Handler&, Machine&, Medium&>>) {
            handler(p, m);
            return true;
        } else {
            return handler(p, m);
        }
    }
};

}  // namespace parley::inline v0::sim
