// Threads as the host of the wait loop (driver/host.hpp), by which the loop reaches what only threads have. All of its
// functions are inlined away.
#pragma once

#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/idle.hpp>
#include <parley/detail/driver/interruption.hpp>
#include <parley/detail/driver/policies.hpp>
#include <parley/detail/driver/states.hpp>
#include <parley/detail/driver/suspended_waits.hpp>
#include <parley/detail/policy/pace.hpp>
#include <parley/detail/runtime/blocking.hpp>
#include <parley/detail/runtime/complaints.hpp>
#include <parley/detail/runtime/crew.hpp>
#include <parley/detail/runtime/handing_on.hpp>
#include <parley/detail/runtime/high_tasks.hpp>
#include <parley/detail/runtime/lending.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/noted_waits.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/visiting.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/wanting.hpp>
#include <parley/detail/runtime/watchdog.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/trace/recorder.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace parley::inline v0::threading {

// So often an isolated sleeper looks whether others want what it keeps.
inline constexpr auto look_for_takers_every = std::chrono::milliseconds(10);

class thread_host {
public:
    using task = threading::task;
    using medium = thread_medium;
    using time_point = std::chrono::steady_clock::time_point;

    explicit thread_host(worker& self) noexcept : self_(&self) {}

    // --- its parts ---------------------------------------------------------------------------------
    [[nodiscard]] protocol_worker& machine() const noexcept { return machine_of(*self_); }
    [[nodiscard]] thread_medium look_at_others() const noexcept { return thread_medium(*self_); }
    [[nodiscard]] suspended_waits& suspended() const noexcept { return self_->own_part().suspended; }
    [[nodiscard]] policies& policy() const noexcept { return policies_of(*self_); }
    [[nodiscard]] threading::weighed& weighed() const noexcept { return self_->own_part().weighs; }

    // --- how it stands -----------------------------------------------------------------------------
    [[nodiscard]] protocol::worker_id id() const noexcept { return self_->id(); }
    [[nodiscard]] std::uint32_t size() const noexcept { return self_->home().size(); }
    [[nodiscard]] bool is_wanted() const noexcept { return self_->is_wanted(); }
    // The worker does not look up after a task if those left are not worth giving yet, or nobody could begin them
    // (weighing.cpp).
    [[nodiscard]] bool looks_up_after_task() const noexcept {
        return is_wanted() && !(self_->only_work_is_wanted() && self_->looks_away());
    }
    [[nodiscard]] protocol::bits::word attention() const noexcept { return self_->shared_part().attention.get(); }
    [[nodiscard]] std::uint32_t news_seen() const noexcept { return self_->own_part().heard.news; }
    [[nodiscard]] bool takes_work() const noexcept { return self_->takes_work(); }
    [[nodiscard]] bool is_to_go() const noexcept { return self_->is_to_go(); }
    [[nodiscard]] hand lends() const noexcept { return self_->watched_part().lends_a_hand.get(); }
    void set_hand(hand h) const noexcept { self_->watched_part().lends_a_hand.set(h); }
    // A worker whose thread visits from another runtime only serves, in a task and while it has tasks. The wait of a
    // barrier is between tasks, so there the worker can say that it is idle.
    [[nodiscard]] bool only_serves(protocol::standing where) const noexcept {
        return self_->own_part().limits.isolated || self_->own_part().limits.draining ||
               (self_->is_visiting() && (where == protocol::standing::in_task || self_->queued() != 0));
    }
    [[nodiscard]] static constexpr bool circulates() noexcept { return pool::circulates(); }
    [[nodiscard]] bool backs_off() const noexcept { return self_->home().tuned().failed == failed_requests::backoff; }
    [[nodiscard]] bool watches() const noexcept { return self_->home().watches(); }
    [[nodiscard]] bool paces_answers() const noexcept {
        return pace::matters(self_->home().tuned(), size(), watches(), !circulates());
    }
    [[nodiscard]] bool& puts_off() const noexcept { return self_->own_part().puts_off; }
    [[nodiscard]] std::uint64_t sent() const noexcept { return self_->shown_part().standing.sent.own(); }

    // --- time --------------------------------------------------------------------------------------
    [[nodiscard]] static time_point now() noexcept { return std::chrono::steady_clock::now(); }
    // A look at the clock costs as much as a few turns.
    static constexpr unsigned turns_per_look = 8;
    [[nodiscard]] static bool pass_time(idle_advice how, deadline) noexcept {
        if (how == idle_advice::spin) {
            relax();
            return false;
        }
        const time_point before = now();
        give_way();
        return now() - before >= weighing::runs_still;
    }
    void says_that_it_searches(time_point at) const noexcept { self_->watched_part().searched_at.set(weighing::in_ns(at)); }
    // A worker that visits another runtime sleeps at once: its thread has more to do.
    [[nodiscard]] idle_advice heeds(idle_advice a) const noexcept {
        return self_->is_visiting() && a != idle_advice::spin ? idle_advice::sleep : a;
    }
    // A worker that takes no work sleeps here until it is told of what it waits for.
    [[nodiscard]] bool sleeps_otherwise(thread_medium& m, deadline last) const noexcept {
        if (self_->is_visiting()) {
            sleep_in_first_runtime(*self_, last);
        } else if (self_->takes_work()) {
            return false;
        } else if (self_->takes_jobs()) {
            m.sleep_until_jobs();
        } else {
            const bool before = self_->watched_part().takes_no_jobs.get();
            self_->watched_part().takes_no_jobs.set(true);
            // A worker that runs dry meanwhile may want what is kept here.
            if (self_->queued() > 0) m.sleep_for(look_for_takers_every);
            else m.sleep();
            self_->watched_part().takes_no_jobs.set(before);
        }
        return true;
    }
    [[nodiscard]] bool sleep_until_needed(thread_medium& m, bool is_away) const noexcept {
        return (!is_away || collect_after_others(*self_, m)) && threading::sleep_until_needed(*self_, m, is_away);
    }
    void count_wake() const noexcept { self_->own_part().count.wakes.add(); }

    // --- tasks -------------------------------------------------------------------------------------
    [[nodiscard]] task* pop() const noexcept { return self_->pop(); }
    [[gnu::always_inline]] void run(task* t) const { t->run(t, *self_); }
    void run_shown(task* t) const { self_->run_shown(t); }
    [[nodiscard]] bool looks_between_tasks() const noexcept { return self_->own_part().looks.now; }
    [[nodiscard]] std::size_t queued() const noexcept { return self_->queued(); }
    [[nodiscard]] bool has_something() const noexcept { return queued() > 0 || self_->own_part().in_hand.job != nullptr; }
    static constexpr bool takes_back = !pool::circulates();  // there a letter may say more of the answer
    [[nodiscard]] bool has_given() const noexcept { return self_->own_part().sent.any(); }
    void hold_all() const noexcept { self_->hold_all(); }
    void let_go() const noexcept { self_->let_go(); }
    [[nodiscard]] bool run_high() const { return threading::run_high(*self_); }
    [[nodiscard]] bool run_high_before(task* t) const { return threading::run_high_before(*self_, t); }
    void begin_foreign_tasks() const {
        if (!self_->own_part().high.empty()) {
            self_->own_part().high.let_go();
        } else if (task* const job = std::exchange(self_->own_part().in_hand.job, nullptr)) {
            self_->hold_all();  // tasks in the deque may be newer than the job, and may wait for it
            const interruptible meanwhile(self_->own_part().signals);
            self_->run_shown(job);
        } else {
            self_->own_part().tasks.let_go();
        }
    }
    [[nodiscard]] bool split_own_loop() const {
        splittable* const s = self_->own_part().loops.to_split();
        if (s == nullptr) return false;
        self_->push(s->split(*self_, s->last_half()));
        return true;
    }
    [[nodiscard]] bool run_isolated_message() const {
        return !self_->own_part().limits.isolated && threading::run_isolated_message(*self_);
    }
    void run_what_comes_late(thread_medium& m) const { threading::run_what_comes_late(*self_, m); }
    void give_up_tasks() const noexcept { threading::give_up_tasks(*self_); }
    // A sleeper gives nothing, and an isolated one takes nothing, so this worker makes jobs of what others may run. It
    // keeps what was made inside an outer isolation, for the waits of that one. Other workers may block on what the
    // region keeps, and then nobody would take the job.
    void give_everything(thread_medium& m) const {
        machine().withdraw(m);
        threading::hand_on_outside(*self_);
        threading::hand_on_answers(*self_);
    }
    void leave_all() const {
        self_->turn_away();
        threading::give_up_tasks(*self_);
        threading::hand_on_all(*self_);
        self_->turn_away();  // the worker had to run tasks if there was no memory to hand them on
    }
    void has_got_work() const noexcept {
        if (self_->home().kept().are_allowed()) (void)collect_now_and_then(*self_);
    }
    [[nodiscard]] time_point has_got_work_at() const noexcept { return collect_now_and_then(*self_); }

    // --- stacks ------------------------------------------------------------------------------------
    [[nodiscard]] bool may_switch() const noexcept { return !self_->is_visiting(); }
    [[nodiscard]] bool is_isolated() const noexcept { return self_->own_part().limits.isolated; }
    [[nodiscard]] std::uint32_t depth() const noexcept { return self_->own_part().stack.depth; }
    [[nodiscard]] fiber* helper() const noexcept { return self_->own_part().suspended.helper(self_, &help); }
    void suspend(suspended_wait& wait, suspended_wait& other) const noexcept {
        self_->own_part().suspended.suspend(wait, other);
    }
    void suspend(suspended_wait& wait, fiber& helper) const noexcept { self_->own_part().suspended.suspend(wait, helper); }

    // --- others ------------------------------------------------------------------------------------
    class neighbour {
    public:
        explicit neighbour(worker& whom) noexcept : whom_(&whom) {}
        [[nodiscard]] protocol::bits::word wanted() const noexcept { return whom_->shared_part().attention.get(); }
        [[nodiscard]] static bool is_asleep(protocol::bits::word w) noexcept { return (w & sync::attention::asleep) != 0; }
        [[nodiscard]] bool is_victim() const noexcept {
            return !whom_->shared_part().letters.is_closed() || is_in_kept_seat();
        }
        [[nodiscard]] bool has_looked() const noexcept { return whom_->watched_part().has_looked.get(); }
        // The work that it makes tasks of may be over in a moment (policy/weighing.hpp).
        [[nodiscard]] bool has_just_begun() const noexcept {
            const std::int64_t since = whom_->watched_part().keeps_since.get();
            return since != 0 && weighing::in_ns(now()) - since < weighing::may_be_kept.count();
        }
        [[nodiscard]] worker& itself() const noexcept { return *whom_; }

    private:
        // A keeper of a seat is no victim, but looks into the lobby. It may be anywhere between its words.
        [[nodiscard]] bool is_in_kept_seat() const noexcept {
            return whom_->seat_part().is_kept.get() && whom_->seat_part().lock.is_inside() &&
                   whom_->does_now() != doing::parked;
        }
        worker* whom_;
    };
    // Calls visit() for all other workers whose seats are taken.
    template <class Visit>
    void each_other(const Visit& visit) const {
        for (protocol::worker_id w = 0; w < self_->home().seats().count(); ++w) {
            worker& whom = self_->home().at(w);
            if (&whom != self_ && whom.watched_part().thread.get() != 0) visit(neighbour(whom));
        }
    }
    // This worker's own thread calls this, and learns how long it takes: its next waits depend on that.
    void interrupt(neighbour whom, bool insists) const noexcept {
        if (insists) whom.itself().watched_part().called.take_down();
        const time_point begin = now();
        if (threading::interrupt(*self_, whom.itself())) policies_of(*self_).patience.has_interrupted(now() - begin);
    }
    [[nodiscard]] sync::role& watch() const noexcept { return self_->home().crew().watch(); }
    [[nodiscard]] sync::role& deputy() const noexcept { return self_->home().crew().deputy(); }
    // Of the workers that sleep with their request in the lobby: one that nobody has woken yet, or null.
    struct sleepers {
        worker* one = nullptr;
        bool any_on_its_way = false;  // one was woken and has not got up yet
    };
    [[nodiscard]] sleepers who_rests() const noexcept {
        sleepers found;
        if (self_->home().exchange().asleep.empty()) return found;  // the words below are others' cache lines
        const std::uint32_t all = self_->home().seats().count();
        for (std::uint32_t i = 1; i < all; ++i) {
            worker& whom = self_->home().at((self_->id() + i) % all);
            const protocol::bits::word seen = whom.shared_part().attention.get();
            if (!neighbour::is_asleep(seen) || whom.shared_part().first.state.get() != protocol::request_state::resting)
                continue;
            if ((seen & protocol::bits::waking) != 0) found.any_on_its_way = true;
            else if (found.one == nullptr) found.one = &whom;
        }
        return found;
    }
    // Wakes none if one is getting up already. That one looks after this worker before it falls asleep again.
    void wake_one_that_rests() const noexcept {
        const sleepers found = who_rests();
        if (found.one != nullptr && !found.any_on_its_way) found.one->raise_and_wake(protocol::bits::news);
    }
    // --- weighing: see weighing.cpp ----------------------------------------------------------------
    [[nodiscard]] bool may_keep() const noexcept { return self_->may_keep(); }
    [[nodiscard]] bool only_work_is_wanted() const noexcept { return self_->only_work_is_wanted(); }
    // An answer that came after its wait counts as well. It lies in the task channel until this worker has nothing else.
    [[nodiscard]] bool has_something_in_hand() const noexcept;
    [[nodiscard]] bool has_own_share() const noexcept;
    [[nodiscard]] std::optional<weighing::duration> loop_lasts(weighing::duration least, time_point now) const noexcept;
    [[nodiscard]] bool has_lost_its_core(time_point now) const noexcept;
    [[nodiscard]] bool runs(protocol::worker_id thief, time_point now) const noexcept;
    [[nodiscard]] bool is_on_its_way(protocol::worker_id w) const noexcept;
    [[nodiscard]] bool anybody_rests() const noexcept;
    [[nodiscard]] protocol::worker_id one_that_rests() const noexcept;
    [[nodiscard]] std::uintptr_t code_of_newest() const noexcept;
    void keeps_since(time_point now) const noexcept { self_->watched_part().keeps_since.set(weighing::in_ns(now)); }
    void keeps_nothing() const noexcept { self_->watched_part().keeps_since.set(0); }

    [[nodiscard]] bool says_that_it_has_looked() const noexcept { return self_->watched_part().has_looked.get(); }
    void show_whether_it_has_looked(bool has_something) const noexcept { self_->show_whether_it_has_looked(has_something); }
    void has_not_looked() const noexcept { self_->watched_part().has_looked.set(false); }
    void serve_others() const { self_->serve_others(); }
    void serve_those_put_off() const { self_->serve_those_put_off(); }
    [[nodiscard]] trace::doing_meanwhile begins_to_serve() const noexcept {
        refill();
        return trace::doing_meanwhile(self_->own_part().record, trace::activity::moving_requests);
    }
    void turn_away() const noexcept { self_->turn_away(); }
    void turn_away_from_others() const noexcept { self_->turn_away_from_others(); }
    void now_does(doing what) const noexcept { self_->now_does(what); }
    void begins_turn() const noexcept {
        self_->turn_away();
        refill();
    }
    [[nodiscard]] std::uint64_t group() const noexcept { return self_->own_part().group.number; }

    // --- before and after --------------------------------------------------------------------------
    [[nodiscard]] threading::uninterrupted uninterrupted() const noexcept {
        return threading::uninterrupted(self_->own_part().signals);
    }
    [[nodiscard]] acting_later acts_on_signals_later() const noexcept { return {*self_, self_->own_part().note}; }

    // While a wait of this worker lasts, `current` is this worker. Inside a visit to another runtime, too, tasks that
    // run here belong to this runtime.
    class seat {
    public:
        explicit seat(thread_host h) noexcept
            : self_(*h.self_),
              before_(std::exchange(current, h.self_)),
              here_(self_.own_part().signals),
              not_blocked_(self_),
              lent_before_(h.lends()) {
            self_.own_part().must_tidy = true;
            ++self_.own_part().stack.depth;
        }
        ~seat() {
            // The hand was lent for something that is over, or that has not begun.
            if (self_.watched_part().lends_a_hand.get() != hand::no) [[unlikely]]
                self_.watched_part().lends_a_hand.set(self_.is_to_go() ? lent_before_ : hand::no);
            current = before_;
            --self_.own_part().stack.depth;
        }
        seat(const seat&) = delete;
        seat& operator=(const seat&) = delete;

    private:
        worker& self_;
        worker* const before_;
        const interruptible here_;
        const blocking_paused not_blocked_;
        const hand lent_before_;
    };

    struct noted : noted_wait {
        template <class Condition>
        explicit noted(const Condition& done) noexcept : noted_wait(what_awaits(done)) {}
    };
    void becomes(noted& n, wait_state what) const noexcept {
        if (what == wait_state::awake) to_people(*self_).waits.becomes(n, what);
        else note_wait(*self_, n, what);
    }

    // Other stacks have other depths, and their tasks keep other pointers. So a wait saves this stack's while it is
    // suspended.
    class left_stack {
    public:
        left_stack(thread_host h, noted& n, suspended_wait& as) noexcept
            : self_(*h.self_),
              noted_(n),
              visits_(innermost),
              kept_by_task_(self_.own_part().stack.kept_by_task),
              coroutines_(self_.own_part().stack.coroutines),
              depth_(self_.own_part().stack.depth),
              spawned_inline_(self_.own_part().stack.spawned_inline),
              stack_(self_.own_part().record != nullptr ? self_.own_part().record->stack : std::uint16_t{0}) {
            h.becomes(n, wait_state::suspended);
            n.suspended_as = &as;
        }
        ~left_stack() {
            to_people(self_).waits.becomes(noted_, wait_state::awake);
            runs_on_this_stack(self_);
            base::compiler_fence();  // a signal handler follows `outer`, beginning at `innermost`
            innermost = visits_;
            base::compiler_fence();
            self_.own_part().stack.depth = depth_;
            self_.own_part().stack.spawned_inline = spawned_inline_;
            self_.own_part().stack.kept_by_task = kept_by_task_;
            self_.own_part().stack.coroutines = coroutines_;
            if (self_.own_part().record != nullptr) self_.own_part().record->stack = stack_;
        }
        left_stack(const left_stack&) = delete;
        left_stack& operator=(const left_stack&) = delete;

    private:
        worker& self_;
        noted& noted_;
        worker* const visits_;
        void* const kept_by_task_;
        resumption* const coroutines_;
        const std::uint32_t depth_;
        const std::uint32_t spawned_inline_;
        const std::uint16_t stack_;
    };

    struct wanting : wanting_what_is_left {
        wanting(thread_host h, protocol::asking asks) noexcept : wanting_what_is_left(*h.self_, asks) {}
    };

    class sitting_out {
    public:
        explicit sitting_out(thread_host h) noexcept : home_(h.self_->home()) { home_.kept().begin_sitting_out(); }
        ~sitting_out() { home_.kept().end_sitting_out(); }
        sitting_out(const sitting_out&) = delete;
        sitting_out& operator=(const sitting_out&) = delete;

    private:
        pool& home_;
    };

private:
    void refill() const noexcept {
        if ((attention() & protocol::bits::refill) != 0) self_->refill();
    }

    worker* self_;
};

static_assert(host<thread_host>);

}  // namespace parley::inline v0::threading
