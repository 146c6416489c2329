// Virtual time as the host of the wait loop (parley/detail/driver/host.hpp). What costs time is spent where it is done. A
// worker that does nothing is parked until somebody touches what it looks at, or the loop's advice changes.
#pragma once

#include <lab/sim/timed/medium.hpp>
#include <lab/sim/timed/pool.hpp>
#include <lab/sim/timed/runner.hpp>
#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/idle.hpp>
#include <parley/detail/driver/looking_up.hpp>
#include <parley/detail/driver/policies.hpp>
#include <parley/detail/driver/states.hpp>
#include <parley/detail/driver/suspended_waits.hpp>
#include <parley/detail/driver/weighing.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace parley::inline v0::sim::timed {

class virtual_host {
public:
    using task = threading::task;
    using medium = timed::medium;
    using time_point = clock_point;
    using lasting = threading::weighing::duration;

    explicit virtual_host(member& self) noexcept : me_(&self) {}
    // --- its parts ---------------------------------------------------------------------------------
    [[nodiscard]] worker_of_either& machine() const noexcept { return me_->machine; }
    [[nodiscard]] medium look_at_others() const noexcept { return medium(home(), *me_); }
    [[nodiscard]] threading::suspended_waits& suspended() const noexcept { return me_->suspended; }
    [[nodiscard]] threading::policies& policy() const noexcept { return me_->policy; }
    [[nodiscard]] threading::weighed& weighed() const noexcept { return me_->weighed; }

    // --- how it stands -----------------------------------------------------------------------------
    [[nodiscard]] worker_id id() const noexcept { return me_->id; }
    [[nodiscard]] std::uint32_t size() const noexcept { return home().size(); }
    [[nodiscard]] bool is_wanted() const noexcept { return me_->attention != 0; }
    [[nodiscard]] bool looks_up_after_task() const noexcept {
        return is_wanted() && !(only_work_is_wanted() && !me_->has_looked && weighed().look.looks_away());
    }
    [[nodiscard]] bits::word attention() const noexcept { return me_->attention; }
    [[nodiscard]] std::uint32_t news_seen() const noexcept { return me_->news_seen; }
    [[nodiscard]] static constexpr bool takes_work() noexcept { return true; }
    [[nodiscard]] bool is_to_go() const noexcept { return home().is_to_go(me_->id); }
    // Who has gone lends no hand: jobs wait until one of those who stay looks up.
    [[nodiscard]] static constexpr threading::hand lends() noexcept { return threading::hand::no; }
    static constexpr void set_hand(threading::hand) noexcept {}
    [[nodiscard]] static constexpr bool only_serves(protocol::standing) noexcept { return false; }
    [[nodiscard]] bool circulates() const noexcept { return me_->machine.circulates(); }
    [[nodiscard]] bool backs_off() const noexcept { return home().backs_off(); }
    [[nodiscard]] bool watches() const noexcept { return home().watches(); }
    [[nodiscard]] bool paces_answers() const noexcept { return home().paces_answers(); }
    [[nodiscard]] bool& puts_off() const noexcept { return me_->puts_off; }
    [[nodiscard]] std::uint64_t sent() const noexcept { return me_->shown.sent; }

    // --- time --------------------------------------------------------------------------------------
    [[nodiscard]] time_point now() const noexcept { return me_->time_by_clock(); }
    void says_that_it_searches(time_point) const noexcept;
    static constexpr unsigned turns_per_look = 1;
    [[nodiscard]] static constexpr threading::idle_advice heeds(threading::idle_advice a) noexcept { return a; }
    [[nodiscard]] bool pass_time(threading::idle_advice how, time_point until) const;
    [[nodiscard]] static constexpr bool sleeps_otherwise(medium&, time_point) noexcept { return false; }
    [[nodiscard]] static bool sleep_until_needed(medium& m, bool /*is_away*/) {
        m.sleep();
        return false;
    }
    void count_wake() const noexcept { ++me_->count.wakes; }

    // --- tasks -------------------------------------------------------------------------------------
    [[nodiscard]] task* pop() const {
        home().step_ends(*me_);
        task* const t = me_->tasks.pop();
        if (t != nullptr) spend(spent::queue, cost().pop);
        return t;
    }
    void run(task* t) const { runner(*me_).begin(t, true); }
    void run_shown(task* t) const { run(t); }
    [[nodiscard]] bool looks_between_tasks() const noexcept { return policy().ahead_of_time.is_on(); }
    [[nodiscard]] std::size_t queued() const noexcept { return me_->tasks.size(); }
    [[nodiscard]] bool has_something() const noexcept { return queued() > 0 || me_->job != nullptr; }
    void hold_all() const noexcept { me_->tasks.hold_all(); }
    void let_go() const noexcept { me_->tasks.let_go(); }
    [[nodiscard]] static constexpr bool run_high() noexcept { return false; }
    [[nodiscard]] static constexpr bool run_high_before(task*) noexcept { return false; }
    void begin_foreign_tasks() const {
        if (task* const job = std::exchange(me_->job, nullptr)) {
            hold_all();  // what is there may be newer, and may wait for it
            run(job);
        } else {
            let_go();
        }
    }
    [[nodiscard]] bool split_own_loop() const {
        loop_part* const l = me_->loop_to_split();
        if (l == nullptr) return false;
        spend(spent::queue, cost().split + cost().push);
        me_->tasks.push(home().cut_off(*me_, *l, {l->to - l->from - (l->to - l->from) / 2, l->chunks}));
        return true;
    }
    [[nodiscard]] static constexpr bool run_isolated_message() noexcept { return false; }
    static constexpr void run_what_comes_late(medium&) noexcept {}
    static constexpr bool takes_back = false;  // each virtual worker has a core of its own, and begins what it gets
    [[nodiscard]] static constexpr bool has_given() noexcept { return false; }
    void give_up_tasks() const { runner(*me_).give_up_tasks(); }
    static constexpr void give_everything(medium&) noexcept {}
    void leave_all() const {
        turn_away();
        give_up_tasks();
        medium m = look_at_others();
        while (!machine().leave(m)) {
            give_up_tasks();
            home().park(*me_, me_->now + microsecond);  // an answer is on its way
        }
        give_up_tasks();
        ++me_->count.departures;
    }
    static constexpr void has_got_work() noexcept {}
    [[nodiscard]] time_point has_got_work_at() const noexcept { return now(); }

    // --- stacks ------------------------------------------------------------------------------------
    [[nodiscard]] static constexpr bool may_switch() noexcept { return true; }
    [[nodiscard]] static constexpr bool is_isolated() noexcept { return false; }
    [[nodiscard]] std::uint32_t depth() const noexcept { return me_->depth; }
    // Without memory for one the run ends: it would not be the same as another one.
    [[nodiscard]] threading::fiber* helper() const { return home().helper(*me_); }
    template <class Next>
    void suspend(threading::suspended_wait& wait, Next& next) const {
        spend(spent::queue, cost().suspend);
        me_->suspended.suspend(wait, next);
    }

    // --- others ------------------------------------------------------------------------------------
    class neighbour {
    public:
        neighbour(member& whom, moment now) noexcept : whom_(&whom), now_(now) {}
        [[nodiscard]] bits::word wanted() const noexcept { return whom_->attention; }
        [[nodiscard]] bool is_asleep(bits::word) const noexcept { return whom_->asleep; }
        [[nodiscard]] bool is_victim() const noexcept { return whom_->open; }
        [[nodiscard]] bool has_looked() const noexcept { return whom_->has_looked; }
        [[nodiscard]] bool has_just_begun() const noexcept {
            return whom_->keeps_since != never &&
                   now_ - whom_->keeps_since < in_virtual_time(threading::weighing::may_be_kept);
        }
        [[nodiscard]] member& itself() const noexcept { return *whom_; }

    private:
        member* whom_;
        moment now_;
    };
    template <class Visit>
    void each_other(const Visit& visit) const {
        home().let_others_catch_up(*me_);
        for (worker_id w = 0; w < size(); ++w) {
            if (w == me_->id) continue;
            spend(spent::idle, cost().poll);
            visit(neighbour(home().at(w), me_->now));
        }
    }
    void interrupt(neighbour whom, bool insists) const {
        if (insists) whom.itself().called = false;
        const time_point begin = now();
        if (look_at_others().interrupt(whom.itself())) policy().patience.has_interrupted(now() - begin);
    }
    [[nodiscard]] watch_role& watch() const {
        home().let_others_catch_up(*me_);
        return home().watch;
    }
    [[nodiscard]] watch_role& deputy() const noexcept { return home().deputy; }
    void wake_one_that_rests() const;
    // Weighing (weighing.cpp).
    [[nodiscard]] bool may_keep() const noexcept;
    [[nodiscard]] bool only_work_is_wanted() const noexcept { return me_->attention == bits::lobby; }
    [[nodiscard]] bool has_something_in_hand() const noexcept;
    [[nodiscard]] bool has_own_share() const noexcept;
    [[nodiscard]] std::optional<lasting> loop_lasts(lasting least, time_point now) const noexcept;
    [[nodiscard]] bool has_lost_its_core(time_point now) const noexcept;
    [[nodiscard]] bool runs(worker_id thief, time_point now) const noexcept;
    [[nodiscard]] bool is_on_its_way(worker_id w) const noexcept;
    [[nodiscard]] bool anybody_rests() const;
    [[nodiscard]] worker_id one_that_rests() const;
    [[nodiscard]] std::uintptr_t code_of_newest() const noexcept;
    void keeps_since(time_point) const noexcept { me_->keeps_since = me_->now; }
    void keeps_nothing() const noexcept { me_->keeps_since = never; }
    [[nodiscard]] bool says_that_it_has_looked() const noexcept { return me_->has_looked; }
    void show_whether_it_has_looked(bool has_something) const {
        say_looked(!has_something && (attention() & bits::lobby) != 0);
    }
    void has_not_looked() const { say_looked(false); }
    void serve_others() const { threading::serve_others(*this, false); }
    void serve_those_put_off() const {
        if (me_->puts_off) serve_others();
    }
    [[nodiscard]] bool begins_to_serve() const {
        home().touch_line(*me_, me_->shared_line, spent::requests);
        me_->called = false;
        me_->signal_at = never;
        return true;
    }
    void turn_away() const {
        if (me_->news_for != protocol::no_worker) runner(*me_).turn_away();
    }
    void turn_away_from_others() const { turn_away(); }
    void now_does(threading::doing what) const {
        if (!home().is_seen()) return;
        using threading::doing;
        std::optional<timed::doing> pause;
        if (what == doing::stealing || what == doing::mugging) pause = timed::doing::search;
        if (what == doing::parked) pause = timed::doing::sleep;
        if (me_->pause == pause) return;
        if (me_->pause) home().show(*me_, *me_->pause, phase::ends);
        me_->pause = pause;
        if (pause) home().show(*me_, *pause, phase::begins);
    }
    void begins_turn() const {
        me_->touched = false;
        spend(spent::idle, cost().turn);
        turn_away();
    }
    [[nodiscard]] std::uint64_t group() const noexcept { return reinterpret_cast<std::uintptr_t>(me_->news_group); }

    // --- before and after --------------------------------------------------------------------------
    [[nodiscard]] static constexpr bool uninterrupted() noexcept { return true; }
    [[nodiscard]] static constexpr bool acts_on_signals_later() noexcept { return true; }  // virtual signals do not

    class seat {
    public:
        explicit seat(virtual_host h) noexcept : me_(*h.me_) { ++me_.depth; }
        ~seat() { --me_.depth; }
        seat(const seat&) = delete;
        seat& operator=(const seat&) = delete;

    private:
        member& me_;
    };
    struct noted {
        explicit noted(const auto&) noexcept {}
    };
    static constexpr void becomes(noted&, threading::wait_state) noexcept {}
    class left_stack {
    public:
        left_stack(virtual_host h, noted&, threading::suspended_wait&) noexcept
            : me_(*h.me_), depth_(me_.depth), calls_(me_.calls), stack_(me_.stack) {}
        ~left_stack() {
            me_.depth = depth_;
            me_.calls = calls_;
            me_.stack = stack_;
        }
        left_stack(const left_stack&) = delete;
        left_stack& operator=(const left_stack&) = delete;

    private:
        member& me_;
        const std::uint32_t depth_, calls_;
        const std::uint16_t stack_;
    };
    struct wanting {
        wanting(virtual_host, protocol::asking) noexcept {}
        [[nodiscard]] static constexpr bool has_got_all() noexcept { return true; }
        [[nodiscard]] static constexpr bool is_told() noexcept { return true; }
    };
    struct sitting_out {
        explicit sitting_out(virtual_host) noexcept {}
    };

private:
    // What wants a worker without tasks to look up; the lobby does not: it has nothing to give.
    static constexpr bits::word calls = bits::mail | bits::waking;

    [[nodiscard]] pool& home() const noexcept { return me_->home; }
    [[nodiscard]] const costs& cost() const noexcept { return me_->home.cost(); }
    void spend(spent on_what, duration d) const noexcept { home().spend(*me_, on_what, d); }
    [[nodiscard]] bool has_been_called() const noexcept { return me_->touched || (me_->attention & calls) != 0; }
    [[nodiscard]] moment by_clock(time_point t) const noexcept;
    [[nodiscard]] bool is_home() const {
        medium m = look_at_others();
        return machine().all_home(m);
    }
    void say_looked(bool looked) const {
        if (me_->has_looked == looked) return;
        home().let_others_catch_up(*me_);  // those who look after this one read it
        me_->has_looked = looked;
    }

    member* me_;
};

static_assert(threading::host<virtual_host>);

}  // namespace parley::inline v0::sim::timed
