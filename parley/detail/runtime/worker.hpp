// The worker: four parts, by who may touch them, and the fast path of fork, spawn and poll. Files outside of this
// folder call its functions. Only files of this folder reach into its parts.
#pragma once

#include <parley/detail/base/sanitized.hpp>
#include <parley/detail/driver/task.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/machine_parts.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/runtime/kept_seats.hpp>
#include <parley/detail/runtime/own_state.hpp>
#include <parley/detail/runtime/shared_line.hpp>
#include <parley/detail/runtime/shown_state.hpp>
#include <parley/detail/runtime/watched_word.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>

namespace parley::inline v0::trace {
enum class happening : std::uint8_t;
}  // namespace parley::inline v0::trace

namespace parley::inline v0::threading {

class pool;

class worker {
public:
    worker(pool& owner, protocol::worker_id number, depot& cells);
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;

    [[nodiscard]] pool& home() const noexcept { return home_; }
    [[nodiscard]] protocol::worker_id id() const noexcept { return id_; }
    // The worker as which this thread sits in another runtime, further up its stack; or null.
    [[nodiscard]] worker* outer() const noexcept { return own_.sits.outer; }

    // --- the fast path -------------------------------------------------------------------------
    // Pushes a record that lives in the caller's frame. Returns the slot of the deque that the record went into. Throws
    // `cancelled`; then the record is removed.
    [[nodiscard, gnu::always_inline]] task** fork(task* t) {
        task** const slot = own_.tasks.push(t);
        own_.count.tasks.add();  // if another worker takes `t`, the join takes this off again
        if (shared_.attention.any()) [[unlikely]]
            if (!keeps_on_forking(t)) attend_fork(t);
        return slot;
    }

    // The join of a forked call. True: `t`, which went into `slot`, was the newest task, and is removed.
    [[nodiscard, gnu::always_inline]] bool join(const task* t, task** slot) noexcept { return own_.tasks.pop_if(t, slot); }

    // Removes and returns the newest task that is not held, or returns null. A push() right after that needs no memory.
    [[nodiscard]] task* pop() noexcept { return own_.tasks.pop(); }
    [[gnu::always_inline]] void push(task* t) { own_.tasks.push(t); }
    // Removes `t` if it is the newest task. True: it was.
    [[nodiscard]] bool pop_if_newest(const task* t) noexcept { return own_.tasks.pop_if_newest(t); }
    void push_high(task* t) {
        own_.high.push(t);
        own_.looks.now = own_.must_tidy = true;
    }
    // Has the deque of high tasks, or the other one, no room for one more (options::queue_bound)? Then run_when_full()
    // may run the new task at once.
    template <bool OfHigh = false>
    [[nodiscard, gnu::always_inline]] bool is_full() const noexcept;

    // The worker that runs a task counts it. A fork counts beforehand, and its join corrects that if another ran it.
    [[gnu::always_inline]] void count_task() noexcept { own_.count.tasks.add(); }
    [[gnu::always_inline]] void count_task_of_another() noexcept { own_.count.tasks.take_off(); }
    void count_split() noexcept { own_.count.splits.add(); }
    [[nodiscard]] std::uint64_t tasks_run() const noexcept { return own_.count.tasks.get(); }
    // Any thread may call this.
    [[nodiscard]] worker_counters counted() const noexcept { return own_.count.read(); }

    // Returns a cell of task memory. Throws std::bad_alloc.
    [[nodiscard, gnu::always_inline]] void* new_cell() { return own_.memory.allocate(); }
    [[gnu::always_inline]] void free_cell(void* c) noexcept { own_.memory.free(c); }
    // The depot that the cells of this worker come from.
    [[nodiscard]] depot& cells() const noexcept { return own_.memory.home(); }

    // True: `t` is not worth giving yet, so this worker need not look up (weighing.cpp).
    [[nodiscard, gnu::always_inline]] bool keeps_on_forking(const task* t) noexcept {
        return only_work_is_wanted() && !own_.weighs.work.is_over_at(reinterpret_cast<std::uintptr_t>(t)) && looks_away();
    }
    // May this worker keep tasks from others for a while? Not if nobody would interrupt it, and not while it blocks.
    [[nodiscard]] bool may_keep() const noexcept;
    // May it leave out a look at its attention word? Not if it has said that it has nothing: nobody would interrupt it.
    [[nodiscard, gnu::always_inline]] bool looks_away() noexcept {
        return !watched_.has_looked.get() && own_.weighs.look.looks_away();
    }
    [[nodiscard, gnu::always_inline]] bool is_wanted() const noexcept { return shared_.attention.any(); }
    [[nodiscard]] bool is_wanted_for(protocol::bits::word b) const noexcept { return (shared_.attention.get() & b) != 0; }
    // Is the lobby bit the only one that is up? Then thieves whose requests rest want tasks, and nobody wants more.
    [[nodiscard, gnu::always_inline]] bool only_work_is_wanted() const noexcept {
        return shared_.attention.get() == protocol::bits::lobby;
    }
    // May this worker leave out the look after a block of that loop? Not after the last one: then it says that it has
    // nothing to give, and is not interrupted in what follows.
    [[nodiscard, gnu::always_inline]] bool looks_away_in(splittable& s) const noexcept {
        if (!shared_.attention.any()) return true;
        return only_work_is_wanted() && !watched_.has_looked.get() && s.left() > 0 && s.looks_away();
    }
    // Called after each block of a loop. Returns how long the poll took, or 0 if it did nothing. Throws `cancelled`.
    [[nodiscard, gnu::always_inline]] std::chrono::nanoseconds poll_in(splittable& s) {
        return looks_away_in(s) ? std::chrono::nanoseconds{} : attend_loop(s);
    }
    // Does what poll_in() does, but notices no cancellation.
    [[nodiscard, gnu::always_inline]] std::chrono::nanoseconds serve_in(splittable& s) {
        return looks_away_in(s) ? std::chrono::nanoseconds{} : serve_loop(s);
    }

    // A part of a loop begins, or a whole one. At another worker, or the last time, an iteration took so many nanoseconds.
    void begins_again(splittable& s, float each, bool is_part) noexcept;
    void leaves_shared_loop() noexcept { own_.loops.end_part(tasks_run()); }
    [[nodiscard]] float each_of(const remembered_loops::name& n) const noexcept { return own_.loops_before.each(n); }
    // Called when a loop that began here and all its parts have ended. Learns how long it takes, and what sharing costs.
    void loop_ends(const remembered_loops::name& n, const loop_times& times) noexcept;

    // Called where the user polls, and at the beginning of words that may throw. Throws `cancelled`.
    [[gnu::always_inline]] void poll() {
        if (shared_.attention.any()) [[unlikely]]
            attend();
    }

    // Called after a spawn. More spawns are likely to follow, so requests may be put off (policy/pace.hpp). Throws
    // `cancelled`.
    [[gnu::always_inline]] void look_after_spawn(std::uint64_t scope) {
        if (shared_.attention.any()) [[unlikely]]
            attend_spawn(scope);
    }
    // Throws what look_after_spawn() would throw. A spawn that must not throw once its task exists calls this before.
    [[gnu::always_inline]] void check_before_spawn() {
        if ((shared_.attention.get() & (protocol::bits::cancel | protocol::bits::start)) != 0) [[unlikely]]
            attend();
    }
    // Such a spawn calls this once its task is queued. Serves others and throws nothing.
    [[gnu::always_inline]] void serve_after_spawn() {
        if (shared_.attention.any()) [[unlikely]]
            attend_quietly(true);
    }

    // Serves others where it is too late to throw: a cancellation is not noticed.
    void serve() {
        if (shared_.attention.any()) [[unlikely]]
            attend_quietly(false);
    }

    // Serves others without a look at the attention word first. `briefly`: answers only some of the requests that rest.
    void serve_others(bool briefly = false);
    // Serves the requests that it has put off while it made tasks. Called before it turns to something else.
    void serve_those_put_off() {
        if (own_.puts_off) [[unlikely]]
            serve_others();
    }

    // --- interruptions: see docs/internals/watchdog.md ------------------------------------------------------
    // May a signal handler on this thread serve others here and now? In doubt the answer is no.
    [[nodiscard]] bool may_be_interrupted() const noexcept {
        return !is_visiting() && !is_blocking() && !own_.signals.are_off() && !own_.tasks.is_changing() &&
               !own_.high.is_changing();
    }
    // Called after this worker has looked whether others rest. If it has nothing to give, nobody need interrupt it.
    // Before it keeps something that comes later, it looks at its attention word, or asks to be watched.
    void show_whether_it_has_looked(bool has_something) noexcept;
    // Fills the stocks of memory that a signal handler uses, since a handler may not allocate.
    void refill() noexcept;

    void enter_loop(splittable& s) noexcept {
        {
            const uninterrupted here(own_.signals);
            s.region = own_.limits.region_that_runs();
            own_.loops.enter(s);
        }
        if (shared_.attention.any()) [[unlikely]]
            loop_begins(s);
    }
    void leave_loop(const splittable& s) noexcept {
        const uninterrupted here(own_.signals);
        own_.loops.leave(s);
    }

    // --- what a broker of cores is told ----------------------------------------------------------
    [[gnu::always_inline]] void now_does(doing what) noexcept {
        if (shown_.does.get() != what) [[unlikely]]
            tell(what);
    }
    [[nodiscard]] doing does_now() const noexcept { return shown_.does.get(); }

    // Any thread may call this: the kernel's number of the thread that sits there now, or 0.
    [[nodiscard]] int thread_number() const noexcept { return watched_.thread.get(); }

    // --- what it notes about itself, where it is recorded: see trace/recorder.hpp -----------------------------------------
    void note(trace::happening what, std::uint64_t number = 0) noexcept {
        if (own_.record != nullptr) [[unlikely]]
            write_down(what, number);
    }
    void be_recorded(trace::recorder& by) noexcept;

    // Is there more to do between two tasks than to look at the attention word?
    [[nodiscard]] bool needs_care_between_tasks() const noexcept {
        return own_.looks.now || is_blocking() || own_.signals.are_off() || own_.suspended.any();
    }

    // --- running -------------------------------------------------------------------------------
    // Runs a task at once. Tasks let no exception out.
    void run(task* t) noexcept {
        ++own_.stack.depth;
        t->run(t, *this);
        --own_.stack.depth;
    }

    // Runs a spawned task at once, because there is no room for it in the deque. False: as many such tasks run inside
    // each other as may, and `t` has not run. Else a task that spawns its like without end would recurse without end.
    [[gnu::noinline]] bool run_when_full(task* t) noexcept {
        constexpr std::uint32_t deepest_inline = 16;
        if (own_.stack.spawned_inline >= deepest_inline) return false;
        ++own_.stack.spawned_inline;
        run(t);
        --own_.stack.spawned_inline;
        return true;
    }

    // Runs a task that does not come from a join, at the depth of this stack. Timelines show it.
    void run_shown(task* t) noexcept;

    // Does the root task itself call this, and not a task that it waits for?
    [[nodiscard]] bool at_root() const noexcept { return id_ == 0 && own_.stack.depth == 0; }
    // The number of wait loops on this stack, and of tasks on it that were run at once.
    [[nodiscard]] std::uint32_t depth() const noexcept { return own_.stack.depth; }
    // While this object lives, a function called at once counts as a task, so it is not taken for the root task.
    class one_deeper {
    public:
        [[gnu::always_inline]] explicit one_deeper(worker& self) noexcept : self_(self) { ++self_.own_.stack.depth; }
        [[gnu::always_inline]] ~one_deeper() { --self_.own_.stack.depth; }
        one_deeper(const one_deeper&) = delete;
        one_deeper& operator=(const one_deeper&) = delete;

    private:
        worker& self_;
    };
    // A pointer that the tasks of this stack may keep there.
    [[nodiscard]] void* kept_by_task() const noexcept { return own_.stack.kept_by_task; }
    void keep_by_task(void* what) noexcept { own_.stack.kept_by_task = what; }
    // std::uncaught_exceptions() of this worker's thread.
    [[nodiscard]] unsigned exceptions_in_flight() const noexcept { return *own_.sits.exceptions; }
    [[nodiscard]] bool is_isolated() const noexcept { return own_.limits.isolated; }
    [[nodiscard]] bool is_blocking() const noexcept { return own_.blocked.regions != 0; }

    // For tasks that nobody awaits (parley/spawn.hpp). The catch block around such a task keeps the exception. After
    // that block tell_what_was_thrown() passes it on to barrier().
    [[gnu::always_inline]] void spawns_loose() noexcept { shown_.spawns_loose.set(true); }
    void keep_current_exception() noexcept { own_.failure = std::current_exception(); }
    void tell_what_was_thrown() noexcept;

    [[nodiscard]] bool cancelling() const noexcept { return is_wanted_for(protocol::bits::cancel); }

    // Called before this worker begins a task of another group, and when it has no task.
    [[gnu::always_inline]] void turn_away() noexcept {
        if (own_.group.number != 0) [[unlikely]]
            leave_group();
    }
    // Leaves the group only if its waiter is another thread. For a group that this worker itself waits for nobody has
    // to be told.
    [[gnu::always_inline]] void turn_away_from_others() noexcept {
        if (own_.group.waiter != current_group::nobody) [[unlikely]]
            leave_group();
    }
    // Was this thread a worker of another runtime before? The stacks belong to that one, so waits of this worker must not
    // let go of them: they are waits of that one (visiting.hpp).
    [[nodiscard]] bool is_visiting() const noexcept { return own_.sits.outer != nullptr; }

    // Called on any of this worker's stacks when something has ended that a wait may be for (suspended_wait::cause).
    // `cause` may be gone already. If a wait can go on, the running code learns that as it learns of news.
    void has_ended(const void* cause) noexcept {
        if (own_.suspended.any()) [[unlikely]]
            let_go_on_after(cause);
    }

    // Is this one of the workers that are not to work (resizing.hpp)?
    [[nodiscard]] bool is_to_go() const noexcept;
    // May its waits take tasks of others?
    [[nodiscard]] bool takes_work() const noexcept { return own_.limits.take_work(); }
    // May it take jobs? In a blocking region nobody could get them. A worker that is to go takes one only where nobody else
    // does. A thread that keeps its seat would have to hand on the job, and its own tasks, when its word ends.
    [[nodiscard]] bool takes_jobs() const noexcept {
        return own_.limits.take_jobs() && !is_blocking() && (!seat_.is_kept.own() || own_.must_tidy) &&
               (!is_to_go() || watched_.lends_a_hand.get() == hand::offered);
    }

    // Raises bits, and wakes the thread that sleeps as this worker. A signal handler may call it.
    void raise_and_wake(protocol::bits::word which) noexcept {
        if ((shared_.attention.raise(which) & sync::attention::asleep) != 0) wake();
    }
    // Raises bits, but wakes the thread only if the bits of `mark` are up, too.
    void raise_and_wake_if(protocol::bits::word mark, protocol::bits::word which) noexcept {
        const protocol::bits::word both = sync::attention::asleep | mark;
        if ((shared_.attention.raise(which) & both) == both) wake();
    }

    // --- a seat that is kept: see kept_seats.cpp ---------------------------------------------------
    // The keeper calls this at the end of a word. Others may take the tasks that are left behind. Not allowed while
    // `must_tidy`.
    [[gnu::always_inline]] void pause() noexcept;
    // Leaves the lock, and then looks whether anybody has asked for what is left.
    [[gnu::always_inline]] void leave_kept_seat() noexcept {
        seat_.lock.leave();
        if (seat_.leaves_tasks.own() && is_asked_for_what_is_left()) [[unlikely]]
            pause_in_time();
    }
    [[gnu::noinline, gnu::cold]] void say_that_tasks_are_left() noexcept;
    [[nodiscard]] bool is_asked_for_what_is_left() const noexcept;

    // These concern both deques of tasks.
    [[nodiscard]] std::size_t queued() const noexcept { return own_.queued(); }
    void hold_all() noexcept { own_.hold_all(); }
    void let_go() noexcept { own_.let_go(); }

    // Returns a number that no other scope of the process has. An address would not do: a worker may still count for a
    // scope that is gone when another one lies at its address.
    [[gnu::always_inline]] std::uint64_t new_group() noexcept {
        if ((++own_.last_group & own_state::group_mask) == 0) [[unlikely]]
            own_.last_group = some_groups();
        return own_.last_group;
    }
    // Returns the first of group_mask + 1 numbers that nobody else has got.
    [[nodiscard]] static std::uint64_t some_groups() noexcept;

    // --- its parts, for the files of this folder (tests/house) ---------------------------------------
    // Each part's header says who may touch it.
    [[nodiscard]] own_state& own_part() noexcept { return own_; }
    [[nodiscard]] const own_state& own_part() const noexcept { return own_; }
    [[nodiscard]] shared_line& shared_part() noexcept { return shared_; }
    [[nodiscard]] const shared_line& shared_part() const noexcept { return shared_; }
    [[nodiscard]] own_request& request_part(std::uint32_t slot) noexcept { return slot == 0 ? shared_.first : second_; }
    [[nodiscard]] const own_request& request_part(std::uint32_t slot) const noexcept {
        return slot == 0 ? shared_.first : second_;
    }
    [[nodiscard]] auto& machine_part() noexcept { return of_machine_; }
    [[nodiscard]] const auto& machine_part() const noexcept { return of_machine_; }
    [[nodiscard]] shown_state& shown_part() noexcept { return shown_; }
    [[nodiscard]] const shown_state& shown_part() const noexcept { return shown_; }
    [[nodiscard]] watched_word& watched_part() noexcept { return watched_; }
    [[nodiscard]] const watched_word& watched_part() const noexcept { return watched_; }
    [[nodiscard]] kept_seat& seat_part() noexcept { return seat_; }
    [[nodiscard]] const kept_seat& seat_part() const noexcept { return seat_; }

private:
    [[gnu::noinline, gnu::cold]] void wake() noexcept;
    [[gnu::noinline, gnu::cold]] void pause_in_time() noexcept;
    [[gnu::noinline, gnu::cold]] void attend();
    [[nodiscard]] bool must_go() const noexcept;
    [[gnu::noinline, gnu::cold]] std::chrono::nanoseconds attend_loop(splittable& s);
    [[gnu::noinline, gnu::cold]] std::chrono::nanoseconds serve_loop(splittable& s);
    [[nodiscard]] bool keeps_to_itself(const void* frame, std::uint64_t scope) noexcept;
    [[nodiscard]] bool keeps_to_itself(splittable& s) noexcept;
    [[gnu::noinline, gnu::cold]] void attend_spawn(std::uint64_t scope);
    [[gnu::noinline, gnu::cold]] void attend_quietly(bool at_pace);
    [[gnu::noinline, gnu::cold]] void attend_fork(task* t);
    [[gnu::noinline, gnu::cold]] void loop_begins(const splittable& s) noexcept;
    [[gnu::noinline]] void leave_group() noexcept;
    [[gnu::noinline]] void let_go_on_after(const void* cause) noexcept;
    [[gnu::noinline]] void tell(doing what) noexcept;
    [[gnu::noinline, gnu::cold]] void record_turn(doing before, doing now) noexcept;
    [[gnu::noinline, gnu::cold]] void write_down(trace::happening what, std::uint64_t number) noexcept;

    own_state own_;  // it comes first, since the fast path touches its beginning
    pool& home_;
    const protocol::worker_id id_;
    shared_line shared_;
    shown_state shown_;
    watched_word watched_;
    second_request second_;
    [[no_unique_address]] protocol::part_of_worker<task, mailbox> of_machine_;
    kept_seat seat_;
};

// The worker that the calling thread is, or null. Initial-exec: one load through the thread pointer, also from a shared
// library. constinit: no initialisation check before each use (docs/internals/fast-path.md).
[[gnu::tls_model("initial-exec")]] extern constinit thread_local worker* current;

// The last of the workers that the running stack has become, one in each runtime; the others follow by `outer`.
// `current` is one of them, but not the last while the stack waits for another runtime's work.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local worker* innermost;

// The worker of the default runtime whose seat the calling thread keeps, or null.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local worker* seat_kept;

inline void worker::pause() noexcept {
    turn_away_from_others();
    if (!own_.tasks.empty() && !seat_.leaves_tasks.own()) [[unlikely]]
        say_that_tasks_are_left();
    current = innermost = nullptr;
    leave_kept_seat();
}

// Returns the worker of `home` that the calling thread is, or null.
[[nodiscard]] worker* worker_in(const pool& home) noexcept;

}  // namespace parley::inline v0::threading
