// A worker: its tasks, what it shows to others, and the fast path of fork, spawn and poll.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/base/sanitized.hpp>
#include <parley/detail/policy/ahead_of_time.hpp>
#include <parley/detail/policy/backoff.hpp>
#include <parley/detail/policy/gain.hpp>
#include <parley/detail/policy/pace.hpp>
#include <parley/detail/policy/patience.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/machine_parts.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/runtime/counters.hpp>
#include <parley/detail/runtime/deque.hpp>
#include <parley/detail/runtime/feedback_sink.hpp>
#include <parley/detail/runtime/interruption.hpp>
#include <parley/detail/runtime/noted_waits.hpp>
#include <parley/detail/runtime/splittable.hpp>
#include <parley/detail/runtime/suspended.hpp>
#include <parley/detail/runtime/task.hpp>
#include <parley/detail/runtime/task_memory.hpp>
#include <parley/detail/runtime/watchdog.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/biased_lock.hpp>
#include <parley/detail/sync/claim.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/hint.hpp>
#include <parley/detail/sync/mpsc.hpp>
#include <parley/detail/sync/relay.hpp>
#include <parley/detail/sync/spsc.hpp>
#include <parley/detail/trace/recorder.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>

namespace parley::inline v0::threading {

class pool;
class worker;

// The travelling message of a request, as a node of the mailbox that it is in.
struct letter {
    letter* next = nullptr;
    protocol::travel contents;
};
using mailbox = sync::mpsc<letter, &letter::next>;

// A request, with its task channel.
struct own_request {
    own_request() noexcept : state(protocol::request_state::home) {}

    letter travelling;             // owned by whoever holds the travelling message
    sync::spsc_slot<task> answer;  // the task channel
    sync::claim<protocol::request_state> state;
    sync::flag letter_away;                         // the travelling message is not with its thief
    bool high = false;                              // are the tasks of the answer of high priority? Ordered by `answer`
    bool isolated = false;                          // were they made inside an isolation? Ordered by `answer`
    protocol::amount wish = protocol::amount::one;  // ordered by `state`, or by a letter that circulates
    std::uint16_t victim = 0;                       // whose answer it is; ordered by `answer`
};

// What others touch, in one cache line: sending a request, answering one and waking cost one
// transfer each. The owner spins on its own copy of the line.
struct alignas(base::cache_line) front {
    [[no_unique_address]] own_request first;  // what follows lies in its padding, too
    sync::attention attention;
    mailbox letters;
};
static_assert(sizeof(front) == base::cache_line);

// The request that a worker has with two of them.
struct alignas(base::cache_line) second_request : own_request {};

// What the detection of termination reads.
struct alignas(base::cache_line) standing_word {
    sync::published<bool> idle{false};
    sync::published<std::uint64_t> sent{0}, received{0};
};

// What one worker counts for one scope: tasks spawned there, and done.
struct group_counts {
    sync::published_counter spawned, done;
};

// The scope whose tasks a worker runs at the time: so that most of them are counted without asking
// where, and whoever waits for them is told when the worker turns to something else (it would be
// told in vain before).
struct current_group {
    static constexpr std::uint32_t nobody = 0;

    std::uint64_t number = 0;        // the scope's, 0 for none; the scope itself may be gone
    group_counts* counts = nullptr;  // valid while a task of the group runs here
    std::uint32_t waiter = nobody;   // see pool::notify(); nobody where the worker itself waits
};

// What may a worker's waits take that was not made on its own stack? See seats.cpp.
enum class takes : std::uint8_t { everything, jobs, nothing };

class worker {
public:
    worker(pool& owner, protocol::worker_id id);
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;

    // --- the fast path -------------------------------------------------------------------------
    // Pushes a record that lives in the caller's frame. Throws `cancelled` with the record removed.
    // Returns the slot of the deque that it went into.
    [[nodiscard, gnu::always_inline]] task** fork(task* t) {
        task** const slot = tasks.push(t);
        count.tasks.add();  // if another takes it, join() takes it off again
        if (shown.attention.any()) [[unlikely]]
            attend_fork(t);
        return slot;
    }

    // Wherever the user says so. Throws `cancelled`.
    [[gnu::always_inline]] void poll() {
        if (shown.attention.any()) [[unlikely]]
            attend();
    }

    // After a spawn: likely there are more to come. Throws `cancelled`.
    [[gnu::always_inline]] void look_after_spawn() {
        if (shown.attention.any()) [[unlikely]]
            attend_spawn();
    }
    // Before one that must not throw when it has made its task: what it would throw.
    [[gnu::always_inline]] void check_before_spawn() {
        if ((shown.attention.get() & (protocol::bits::cancel | protocol::bits::start)) != 0) [[unlikely]]
            attend();
    }
    // After that.
    [[gnu::always_inline]] void serve_after_spawn() {
        if (shown.attention.any()) [[unlikely]]
            attend_quietly(true);
    }

    // The same without noticing cancellation: where throwing is too late.
    void serve() {
        if (shown.attention.any()) [[unlikely]]
            attend_quietly(false);
    }

    // The same where it need not look whether anybody wants anything.
    void serve_others();
    // What it has put off while it made tasks (pace.hpp), before it turns to something else.
    void serve_those_put_off() {
        if (puts_off) [[unlikely]]
            serve_others();
    }

    // --- interruptions: see docs/internals/watchdog.md ------------------------------------------------------
    // May a signal handler on this thread serve others here and now? In doubt it does not.
    [[nodiscard]] bool may_be_interrupted() const noexcept {
        return outer == nullptr && blocking == 0 && !signals.are_off() && !tasks.is_changing() && !high.is_changing();
    }
    // After looking whether others rest. What it gets later, it gets with a look at the attention word, or it
    // asks to be watched.
    void show_whether_it_has_looked(bool has_something) noexcept;
    // Makes ready again what a handler may not allocate.
    void refill() noexcept;

    void enter_loop(splittable& s) noexcept {
        {
            const uninterrupted here(signals);
            s.isolated = isolated;
            loops.enter(s);
        }
        if (shown.attention.any()) [[unlikely]]
            loop_begins();
    }
    void leave_loop(const splittable& s) noexcept {
        const uninterrupted here(signals);
        loops.leave(s);
    }

    // --- what a broker of cores is told ----------------------------------------------------------
    [[gnu::always_inline]] void now_does(doing what) noexcept {
        if (does_.get() != what) [[unlikely]]
            tell(what);
    }
    [[nodiscard]] doing does_now() const noexcept { return does_.get(); }

    // --- what it notes about itself: see trace/recorder.hpp -----------------------------------------
    void note(trace::happening what, std::uint64_t number = 0) noexcept {
        if (record != nullptr && record->has_timeline()) [[unlikely]]
            write_down(what, number);
    }
    void be_recorded(trace::recorder& by) noexcept {
        record = &by;
        always_looks = always_looks || by.has_timeline();
        looks_between_tasks = looks_between_tasks || always_looks;
    }

    // Is there more to do between two tasks than to look at the attention word?
    [[nodiscard]] bool needs_care_between_tasks() const noexcept {
        return looks_between_tasks || blocking != 0 || signals.are_off() || suspended.any();
    }

    // --- running -------------------------------------------------------------------------------
    // Runs a task at once. Tasks let no exception out.
    void run(task* t) noexcept {
        ++depth;
        t->run(t, *this);
        --depth;
    }

    // A spawned task for which there is no room: it runs at once, below a depth; a task that spawns its like without end
    // would recurse without end. False: it does not.
    [[gnu::noinline]] bool run_when_full(task* t) noexcept {
        if (spawned_inline >= deepest_inline) return false;
        ++spawned_inline;
        run(t);
        --spawned_inline;
        return true;
    }

    // The same on the worker's own depth, of a task from elsewhere than a join: timelines show it.
    void run_shown(task* t) noexcept {
        note(trace::happening::task_begins);
        t->run(t, *this);
        note(trace::happening::task_ends);
    }

    // Is the root task in front, not one that it waits for?
    [[nodiscard]] bool at_root() const noexcept { return id == 0 && depth == 0; }

    [[nodiscard]] bool cancelling() const noexcept {
        return shown.attention.any() && (shown.attention.get() & protocol::bits::cancel) != 0;
    }

    // Before this worker begins a task of another group, and whenever it has none.
    [[gnu::always_inline]] void turn_away() noexcept {
        if (group.number != 0) [[unlikely]]
            leave_group();
    }
    // The same where this worker's own groups may stay: nobody waits to be told of them.
    [[gnu::always_inline]] void turn_away_from_others() noexcept {
        if (group.waiter != current_group::nobody) [[unlikely]]
            leave_group();
    }
    // May a wait let go of its stack? The stacks belong to the worker that the thread was first; further up its stack it
    // is others, whose waits are waits of the first one (visiting.hpp).
    [[nodiscard]] bool may_switch() const noexcept { return outer == nullptr; }
    [[nodiscard]] bool is_visiting() const noexcept { return outer != nullptr; }

    // Here, on whatever stack: what a wait may be for (see suspended_wait::cause). It may be gone already. What runs
    // now is told as by news that a wait can go on.
    void has_ended(const void* cause) noexcept {
        if (suspended.any()) [[unlikely]]
            let_go_on_after(cause);
    }

    // Is it one of those that are not to work? See suspension.hpp.
    [[nodiscard]] bool is_to_go() const noexcept;
    // May it have what is others', for all that it waits for?
    [[nodiscard]] bool takes_work() const noexcept { return !isolated && !draining && may_take == takes::everything; }
    // Who is to go takes none but where nobody else does. Who keeps its seat takes none before it waits: it would hand on
    // that and all that it has queued when its word ends.
    [[nodiscard]] bool takes_jobs() const noexcept {
        return !isolated && !draining && may_take != takes::nothing && (!keeps.own() || must_tidy) &&
               (!is_to_go() || watched.lends_a_hand.get() == hand::offered);
    }

    // What others may read of it, for people (noted_waits.hpp). Its thread has come to this stack, or to another one.
    [[gnu::always_inline]] void runs_on_this_stack() noexcept {
        to_people.frame.set(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
    }
    // Before it sleeps or lets go of its stack.
    void show_queues() noexcept {
        to_people.queued.set(queued());
        to_people.held.set(tasks.held() + high.held());
        to_people.is_isolated.set(isolated);
    }

    // Says that something has come for it, and wakes whoever sleeps as this worker, wherever. In a signal handler, too.
    void raise_and_wake(protocol::bits::word which) noexcept {
        if ((shown.attention.raise(which) & sync::attention::asleep) != 0) wake();
    }
    // The same, if it has also raised `mark`.
    void raise_and_wake_if(protocol::bits::word mark, protocol::bits::word which) noexcept {
        const protocol::bits::word both = sync::attention::asleep | mark;
        if ((shown.attention.raise(which) & both) == both) wake();
    }

    // --- a seat that is kept: see kept_seats.cpp ---------------------------------------------------
    // Between two words of its keeper's; tasks that are left behind may be taken. Not while `must_tidy`.
    [[gnu::always_inline]] void pause() noexcept;
    // And looks whether anybody has asked for what is left.
    [[gnu::always_inline]] void leave_kept_seat() noexcept {
        seat.leave();
        if (leaves_tasks.own() && is_asked_for_what_is_left()) [[unlikely]]
            pause_in_time();
    }
    [[gnu::noinline, gnu::cold]] void say_that_tasks_are_left() noexcept;
    [[nodiscard]] bool is_asked_for_what_is_left() const noexcept;

    // Was the oldest task of this deque of its own made inside the isolation that runs?
    [[nodiscard]] bool is_inside(const deque& own) const noexcept { return isolated && own.front_is_inside(); }

    // Both deques of tasks.
    [[nodiscard]] std::size_t queued() const noexcept { return tasks.size() + high.size(); }
    void hold_all() noexcept {
        tasks.hold_all();
        high.hold_all();
    }
    void let_go() noexcept {
        tasks.let_go();
        high.let_go();
    }
    void push_high(task* t) {
        high.push(t);
        looks_between_tasks = must_tidy = true;
    }

    // A number for a new scope; no two scopes of the process have the same one. That of a scope that
    // is gone may still stand in some worker's turn when another scope lies at the same address.
    [[gnu::always_inline]] std::uint64_t new_group() noexcept {
        if ((++last_group_ & group_mask) == 0) [[unlikely]]
            last_group_ = some_groups();
        return last_group_;
    }
    // The first of as many numbers as nobody else has got.
    [[nodiscard]] static std::uint64_t some_groups() noexcept;

    // How deep spawns that find the deque full are run inside each other.
    static constexpr std::uint32_t deepest_inline = 16;

    deque tasks;
    counters count;  // beside the deque: the fast path touches both
    task_memory memory;
    current_group group;
    std::uint32_t depth = 0;      // wait loops and tasks run at once that are on this stack
    std::uint32_t news_seen = 0;  // how often bits::news was lowered
    std::uint32_t heard = 0;      // how often any bit was lowered that may wake it
    takes may_take = takes::everything;
    bool isolated = false;              // waits take nothing foreign: see isolation.hpp
    bool draining = false;              // takes no more than it has: see pool::finish_suspended()
    bool looks_between_tasks = false;   // asks early, is shown on a timeline, or may have high tasks: see wait_loop.hpp
    bool always_looks = false;          // for one of the first two reasons
    std::uint32_t blocking = 0;         // regions that this stack is in: see blocking.hpp
    std::uint32_t spawned_inline = 0;   // nested spawns that were run at once (see run_when_full)
    trace::recorder* record = nullptr;  // null: it is not recorded
    void* kept_by_task = nullptr;       // of the stack that runs: what its tasks keep there (tasking/frame.hpp)
    ahead_of_time early;
    gain steals;
    pace answers;
    bool puts_off = false;  // requests that rest: see pace.hpp
    // Since its keeper came it has waited, blocked, or queued high tasks: it may have a request out, a mailbox open, an
    // answer in its channel, a job in hand, or a wait suspended.
    bool must_tidy = false;
    backoff pauses;
    task* job = nullptr;  // from outside, taken while the deque was not empty: see thread_medium::take_job()
    suspended_waits suspended;
    running_loops loops;
    interruptions signals;  // off where a handler would meddle with what this worker does

    pool& home;
    const protocol::worker_id id;
    worker* outer = nullptr;               // as which this thread sits in another runtime, further up its stack
    worker* came_from = nullptr;           // what `current` was when it sat down here
    const unsigned* exceptions = nullptr;  // std::uncaught_exceptions() of its thread, which is cheaper to read here

    front shown;
    standing_word standing;
    watched_word watched;
    second_request second;
    [[no_unique_address]] protocol::part_of_worker<task, mailbox> of_machine;
    patience waits;
    std::exception_ptr failure;            // of a task that nobody awaits, on its way to pool::keep_failure()
    sync::hint<bool> spawns_loose{false};  // such tasks, once it has: see end_of_process.cpp

    sync::biased_lock seat;
    sync::published<bool> keeps{false};         // somebody keeps it
    sync::published<bool> leaves_tasks{false};  // tasks may lie here while nobody sits; or a barrier waits for its keeper
    sync::hint<bool> must_hand_on{false};  // by its keeper, when it leaves: somebody has come for them and found it there
    sync::relay<worker> sleeps_as;         // whom to wake for it: see visiting.hpp
    sync::hint<bool> stands_in{false};     // see stand_ins.cpp
    bool lends = false;                    // its place, while it blocks: see blocking.cpp
    bool may_lend = false;
    bool blocks_briefly = false;  // it did the last time
    gain::clock::time_point blocked_since;
    gain::clock::time_point collected;   // when it last came for what lies in kept seats: see wanting.hpp
    sync::hint<std::uint32_t> place{0};  // of those that stand in: which one
    shown_to_people to_people;

    deque high;  // tasks of high priority; here, where the offsets of what the fast path needs stay small

    // A message with tasks that were made inside an isolation elsewhere, from its arrival until the wait that received
    // it begins them (isolation.hpp).
    task* isolated_message = nullptr;
    bool isolated_message_is_high = false;

private:
    [[gnu::noinline, gnu::cold]] void wake() noexcept;
    [[gnu::noinline, gnu::cold]] void pause_in_time() noexcept;
    [[gnu::noinline, gnu::cold]] void attend();
    [[gnu::noinline, gnu::cold]] void serve_at_pace();
    void serve_others(bool briefly);
    [[gnu::noinline, gnu::cold]] void attend_spawn();
    [[gnu::noinline, gnu::cold]] void attend_quietly(bool at_pace);
    [[gnu::noinline, gnu::cold]] void attend_fork(task* t);
    [[gnu::noinline, gnu::cold]] void loop_begins() noexcept;
    [[gnu::noinline]] void leave_group() noexcept;
    [[gnu::noinline]] void let_go_on_after(const void* cause) noexcept;
    [[gnu::noinline]] void tell(doing what) noexcept;
    [[gnu::noinline, gnu::cold]] void record_turn(doing before, doing now) noexcept;
    [[gnu::noinline, gnu::cold]] void write_down(trace::happening what, std::uint64_t number) noexcept;

    sync::hint<doing> does_{doing::useful};

    static constexpr std::uint64_t group_mask = (1U << 16) - 1;
    std::uint64_t last_group_ = group_mask;  // the next one is the first of new ones
};

// The worker that the calling thread is, or null. Initial-exec: one load through the thread pointer,
// also from a shared library; constinit: no initialisation check before each use (design §3).
[[gnu::tls_model("initial-exec")]] extern constinit thread_local worker* current;

// All the workers that the running stack is, in one runtime each: the one it became last, linked by
// `outer`. `current` is one of them: during a wait for another runtime's work, not the last.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local worker* innermost;

// Of the default runtime: the worker whose seat the calling thread keeps, or null.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local worker* seat_kept;

inline void worker::pause() noexcept {
    turn_away_from_others();
    if (!tasks.empty() && !leaves_tasks.own()) [[unlikely]]
        say_that_tasks_are_left();
    current = innermost = nullptr;
    leave_kept_seat();
}

// The calling thread as a worker of `home`, or null.
[[nodiscard]] worker* worker_in(const pool& home) noexcept;

}  // namespace parley::inline v0::threading
