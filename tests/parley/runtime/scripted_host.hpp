// A host of the wait loop in which the test says what happens and how long it takes. It writes down what the loop asks for.
#pragma once

#include "scripted_world.hpp"

#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/waiting.hpp>
#include <parley/detail/driver/weighing.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace parley_tests::scripted {

class host {
public:
    using task = std::function<void()>;
    using medium = scripted::medium;

    explicit host(world& of) : w(&of) {}

    [[nodiscard]] protocol_part& machine() const { return w->of_protocol; }
    [[nodiscard]] medium look_at_others() const { return {w}; }
    [[nodiscard]] driver::suspended_waits& suspended() const { return w->suspended; }
    [[nodiscard]] driver::policies& policy() const { return w->policy; }
    [[nodiscard]] driver::weighed& weighed() const { return w->weighed; }

    [[nodiscard]] parley::protocol::worker_id id() const { return 0; }
    [[nodiscard]] std::uint32_t size() const { return 4; }
    [[nodiscard]] bool is_wanted() const { return w->is_wanted; }
    [[nodiscard]] bool looks_up_after_task() const { return w->looks_up_after_task; }
    [[nodiscard]] word attention() const { return w->attention; }
    [[nodiscard]] std::uint32_t news_seen() const { return w->news; }
    [[nodiscard]] bool takes_work() const { return w->takes_work; }
    [[nodiscard]] bool is_to_go() const { return w->is_to_go; }
    [[nodiscard]] driver::hand lends() const { return w->lends; }
    void set_hand(driver::hand h) const {
        if (std::exchange(w->lends, h) != h) w->note("hand " + std::to_string(static_cast<int>(h)));
    }
    [[nodiscard]] bool only_serves(standing) const { return w->only_serves; }
    [[nodiscard]] bool circulates() const { return w->circulates; }
    [[nodiscard]] bool backs_off() const { return w->backs_off; }
    [[nodiscard]] bool watches() const { return w->watches; }
    [[nodiscard]] bool paces_answers() const { return w->paces_answers; }
    [[nodiscard]] bool& puts_off() const { return w->puts_off; }
    [[nodiscard]] std::uint64_t sent() const { return w->sent; }

    [[nodiscard]] time_point now() const { return w->now; }
    void says_that_it_searches(time_point at) const { w->searched_at = at; }
    static constexpr unsigned turns_per_look = 1;
    [[nodiscard]] bool pass_time(driver::idle_advice how, driver::deadline until) const {
        w->now = w->skips ? std::max(w->now + 300ns, until) : w->now + 300ns;
        w->note(how == driver::idle_advice::spin ? "spin" : "give way");
        if (how == driver::idle_advice::spin) return false;
        w->searched_when_it_gave_way = w->searched_at;
        w->now += w->others_run;
        return w->others_run >= driver::weighing::runs_still;
    }
    [[nodiscard]] driver::idle_advice heeds(driver::idle_advice a) const { return a; }
    [[nodiscard]] bool sleeps_otherwise(medium&, driver::deadline) const {
        if (w->sleeps_otherwise) w->note("sleep otherwise");
        return w->sleeps_otherwise;
    }
    [[nodiscard]] bool sleep_until_needed(medium&, bool is_away) const {
        w->note(is_away ? "sleep away" : "sleep until needed");
        w->sleeps();
        return w->needs_me;
    }
    void count_wake() const { w->note("count wake"); }

    [[nodiscard]] task* pop() const {
        if (w->tasks.empty()) return nullptr;
        popped_ = std::move(w->tasks.back());
        w->tasks.pop_back();
        return &popped_;
    }
    void run(task* t) const {
        const task now = std::move(*t);
        w->note("run");
        now();
    }
    void run_shown(task* t) const { run(t); }
    [[nodiscard]] bool looks_between_tasks() const { return w->looks_between_tasks; }
    [[nodiscard]] std::size_t queued() const { return w->tasks.size(); }
    [[nodiscard]] bool has_something() const { return w->holds_job; }
    void hold_all() const { w->note("hold all"); }
    void let_go() const { w->note("let go"); }
    [[nodiscard]] bool run_high() const {
        if (!std::exchange(w->has_high, false)) return false;
        w->note("run high");
        return true;
    }
    [[nodiscard]] bool run_high_before(task* t) const {
        if (!run_high()) return false;
        w->tasks.push_back(std::move(*t));
        return true;
    }
    void begin_foreign_tasks() const {
        w->note("begin foreign tasks");
        w->holds_job = false;
    }
    [[nodiscard]] bool split_own_loop() const {
        if (!std::exchange(w->splits_own_loop, false)) return false;
        w->receive();
        return true;
    }
    [[nodiscard]] bool run_isolated_message() const {
        if (!std::exchange(w->has_message, false)) return false;
        w->note("run message");
        return true;
    }
    void run_what_comes_late(medium&) const { w->note("run what comes late"); }
    static constexpr bool takes_back = true;
    [[nodiscard]] bool has_given() const { return w->has_given; }
    void give_up_tasks() const { w->note("give up tasks"); }
    void give_everything(medium&) const { w->note("give everything"); }
    void leave_all() const { w->note("leave all"); }
    void has_got_work() const { w->note("has got work"); }
    [[nodiscard]] time_point has_got_work_at() const { return w->now; }

    [[nodiscard]] bool may_switch() const { return w->may_switch; }
    [[nodiscard]] bool is_isolated() const { return w->is_isolated; }
    [[nodiscard]] std::uint32_t depth() const { return w->depth; }
    [[nodiscard]] driver::fiber* helper() const { return &w->suspended.running(); }
    template <class Next>
    void suspend(driver::suspended_wait&, Next&) const {
        w->note("suspend");
        w->holds_job = false;
    }

    class neighbour {
    public:
        explicit neighbour(other_worker& whom) : whom_(&whom) {}
        [[nodiscard]] word wanted() const { return whom_->wanted; }
        [[nodiscard]] bool is_asleep(word) const { return whom_->is_asleep; }
        [[nodiscard]] bool is_victim() const { return whom_->is_victim; }
        [[nodiscard]] bool has_looked() const { return whom_->has_looked; }
        [[nodiscard]] bool has_just_begun() const { return whom_->has_just_begun; }
        [[nodiscard]] other_worker& itself() const { return *whom_; }

    private:
        other_worker* whom_;
    };
    template <class Visit>
    void each_other(const Visit& visit) const {
        for (other_worker& o : w->others) visit(neighbour(o));
    }
    void interrupt(neighbour whom, bool insists) const { ++(insists ? whom.itself().insisted : whom.itself().interrupted); }
    struct role {
        world* w;
        [[nodiscard]] bool take(parley::protocol::worker_id) const { return w->in_charge; }
        [[nodiscard]] bool is_taken() const { return w->watch_is_taken; }
        void give_up(parley::protocol::worker_id) const { w->note("give up watch"); }
    };
    [[nodiscard]] role watch() const { return {w}; }
    struct deputys_role {
        world* w;
        [[nodiscard]] bool take(parley::protocol::worker_id) const { return !w->has_deputy && (w->is_deputy = true); }
        void give_up(parley::protocol::worker_id) const { w->is_deputy = false; }
    };
    [[nodiscard]] deputys_role deputy() const { return {w}; }
    void wake_one_that_rests() const { w->note("wake one"); }

    [[nodiscard]] bool says_that_it_has_looked() const { return w->has_looked; }
    void show_whether_it_has_looked(bool has_something) const {
        w->note(has_something ? "looked, has something" : "looked, has nothing");
    }
    void has_not_looked() const { w->note("has not looked"); }
    void keeps_nothing() const { w->note("keeps nothing"); }
    void keeps_since(time_point at) const { w->keeps_since = at; }
    [[nodiscard]] bool may_keep() const { return w->may_keep; }
    [[nodiscard]] bool only_work_is_wanted() const { return w->attention == parley::protocol::bits::lobby; }
    [[nodiscard]] bool has_something_in_hand() const { return w->holds_job; }
    [[nodiscard]] bool has_own_share() const { return w->has_own_share; }
    [[nodiscard]] std::optional<std::chrono::nanoseconds> loop_lasts(std::chrono::nanoseconds, time_point) const {
        return w->loop_lasts;
    }
    [[nodiscard]] bool has_lost_its_core(time_point) const { return std::exchange(w->has_lost_its_core, false); }
    [[nodiscard]] bool runs(parley::protocol::worker_id whom, time_point) const { return w->those_that_run.contains(whom); }
    [[nodiscard]] bool is_on_its_way(parley::protocol::worker_id whom) const { return w->on_their_way.contains(whom); }
    [[nodiscard]] bool anybody_rests() const { return w->anybody_rests; }
    [[nodiscard]] parley::protocol::worker_id one_that_rests() const { return w->one_that_rests; }
    [[nodiscard]] std::uintptr_t code_of_newest() const { return w->code_of_newest; }
    void serve_others() const { w->note("serve others"); }
    void serve_those_put_off() const { w->note("serve those put off"); }
    [[nodiscard]] bool begins_to_serve() const {
        w->note("begin to serve");
        return true;
    }
    void turn_away() const { w->note("turn away"); }
    void turn_away_from_others() const { w->note("turn away from others"); }
    void now_does(driver::doing what) const { w->does = what; }
    void begins_turn() const { w->note("turn"); }
    [[nodiscard]] std::uint64_t group() const { return w->group; }
    [[nodiscard]] bool uninterrupted() const { return true; }
    struct acting_later {
        world& w;
        explicit acting_later(world& which) : w(which) { ++w.acting_later; }
        acting_later(const acting_later&) = delete;
        ~acting_later() { --w.acting_later; }
    };
    [[nodiscard]] acting_later acts_on_signals_later() const { return acting_later(*w); }

    struct seat {
        explicit seat(host h) : w(h.w) { ++w->depth; }
        ~seat() { --w->depth; }
        seat(const seat&) = delete;
        seat& operator=(const seat&) = delete;
        world* w;
    };
    struct noted {
        explicit noted(const auto&) {}
    };
    void becomes(noted&, driver::wait_state s) const { w->note(s == driver::wait_state::asleep ? "asleep" : "awake"); }
    struct left_stack {
        left_stack(host, noted&, driver::suspended_wait&) {}
    };
    struct wanting {
        wanting(host h, asking) : w(h.w) {}
        [[nodiscard]] bool has_got_all() const { return w->has_got_all; }
        [[nodiscard]] bool is_told() const { return w->is_told; }
        world* w;
    };
    struct sitting_out {
        explicit sitting_out(host) {}
    };

private:
    world* w;
    mutable task popped_;
};

static_assert(driver::weighs<host>);

// A condition that holds when the function says so.
struct until {
    std::function<bool()> holds;
    bool operator()() const { return holds(); }
    bool may_hold() const { return true; }
};
inline const until never{[] { return false; }};
struct until_or_deadline : until {
    driver::deadline last;
};

}  // namespace parley_tests::scripted
