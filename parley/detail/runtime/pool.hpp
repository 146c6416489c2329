// The workers of one runtime and what they have in common: lobby, injector, threads, seat.
#pragma once

#include <parley/detail/policy/tuning.hpp>
#include <parley/detail/protocol/machine_parts.hpp>
#include <parley/detail/runtime/forks.hpp>
#include <parley/detail/runtime/task.hpp>
#include <parley/detail/runtime/task_memory.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/runtime/worker_times.hpp>
#include <parley/detail/sync/cancellation.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/event_count.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/injector.hpp>
#include <parley/detail/sync/lobby.hpp>
#include <parley/detail/sync/oneshot.hpp>
#include <parley/detail/sync/role.hpp>
#include <parley/detail/trace/recording.hpp>
#include <parley/options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <vector>

namespace parley::inline v0::threading {

// A task that comes from outside the workers.
struct job : task {
    job* next = nullptr;
};

// Whom a future or a scope wakes: a worker by its number, or everybody.
inline constexpr std::uint32_t waiter_anybody = 1;
constexpr std::uint32_t waiter_number(protocol::worker_id id) noexcept { return id + 2; }
static_assert(current_group::nobody == 0);  // the numbers of waiters begin after it

class complainer;
class nearest_map;
struct setting;

class pool {
public:
    explicit pool(const options& chosen, const tuning& how = {});
    ~pool();  // drains: every task is done, every request home, then the threads end
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;

    // Its own workers: [0, size()). Worker 0 is a thread that came in, the others are threads of the pool's.
    [[nodiscard]] std::uint32_t size() const noexcept { return settings_.workers; }
    // Behind them in the numbers come visitors, made when they are needed: see seats.cpp.
    static constexpr std::uint32_t most_visitors = 256;
    static constexpr std::uint32_t kept_for_stand_ins = 16;  // of those, where so many stand in
    [[nodiscard]] bool is_visitor(protocol::worker_id id) const noexcept { return id >= size(); }
    // All that there are.
    [[nodiscard]] std::uint32_t seats() const noexcept { return size() + visitors_.get(); }

    [[nodiscard]] worker& at(protocol::worker_id id) noexcept { return seat(id); }
    [[nodiscard]] const worker& at(protocol::worker_id id) const noexcept { return seat(id); }
    [[nodiscard]] const options& settings() const noexcept { return settings_; }
    [[nodiscard]] const tuning& tuned() const noexcept { return tuning_; }

    // Is every task run where it is made (options::serial)?
    [[nodiscard]] bool serial() const noexcept { return settings_.serial; }

    // options::queue_bound in blocks of the deque.
    [[nodiscard]] std::size_t queue_blocks() const noexcept {
        return (settings_.queue_bound + block::capacity - 1) / block::capacity;
    }

    // The calling thread becomes a worker, and stops being it (I11): worker 0 if nobody is it, else a visitor. Then it is
    // `current`. Not in a child of fork().
    worker& enter() noexcept;
    void leave(worker& self) noexcept;
    // What it has begun it ends, the rest others get. Then it is nobody's victim.
    void give_all_away(worker& self) noexcept;
    // It lives as long as the process. So seats can be kept between two words (kept_seats.cpp), and main() has to wait for
    // its tasks (end_of_process.cpp).
    void be_default() noexcept;
    [[nodiscard]] bool lets_keep() const noexcept { return lets_keep_; }
    // The others come in and go with each word, so that there are seats for all.
    static constexpr std::uint32_t most_keepers = most_visitors / 4;
    // False: there are as many as there may be.
    [[nodiscard]] bool begin_keeping(worker& self) noexcept;
    void stop_keeping(worker& self) noexcept;
    // Before it is left, where it did more than queue tasks.
    void tidy(worker& kept) noexcept;
    // By its keeper, while it is in other runtimes.
    void begin_kept_visit(worker& kept) noexcept;
    void end_kept_visit(worker& kept) noexcept;
    // What keepers have left behind becomes jobs, before this worker sleeps. False: not all, for want of memory.
    [[nodiscard]] bool collect(const worker& sleeper) noexcept;
    // The same by one that has got other work: a keeper that is there hands them on itself, when it leaves.
    void collect_beside_work(const worker& self) noexcept;
    [[nodiscard]] bool leaves_any_tasks() const noexcept;
    // For a barrier, of a seat that is kept: its keeper is away, and there is nothing in it any more. If not, whoever scans
    // is told when the keeper leaves.
    [[nodiscard]] bool is_left_with_nothing(worker& kept) noexcept;
    void tell_who_scans() noexcept;
    sync::shared_counter wanting;      // sleepers that want what is left and have no request out, and barriers
    sync::shared_counter sitting_out;  // suspended sleepers: they want it if nobody else does

    // From any thread: some worker runs the job. The threads must have been started, where there are
    // any: what can fail comes before the job is counted.
    void submit(job* j) noexcept;
    // After a worker that would have taken those that wait has gone, or takes none for a while.
    void tell_of_jobs() noexcept;
    // All of its tasks, as jobs.
    void hand_on_tasks(worker& self);
    // Those that were not made inside the isolation that runs.
    void hand_on_outside(worker& self);
    // All iterations that have not begun of the loops that it is in.
    void hand_on_loops(worker& self);
    // All of this, what is in its deque by one message.
    void give_up_tasks(worker& self) noexcept;
    void give_up_loops(worker& self) noexcept;
    // Until it has no tasks, no request out and a closed mailbox: nobody's victim (I11).
    void hand_on_all(worker& self);
    // Before its thread goes elsewhere.
    void finish_suspended(worker& self) noexcept;

    // Wakes whom a scope named.
    void notify(std::uint32_t waiter) noexcept;
    // Wakes all who wait for what is complete.
    void notify(sync::completion::woken waiters) noexcept;

    // How many workers there are to be, the first ones: the others are suspended at the end of a task or at their next
    // wait, and go on when there are to be more. From any thread. Throws usage_error for none, for more than size(),
    // and where requests circulate.
    void resize(std::uint32_t workers);
    void let_go_of_broker();
    void wait_a_moment() const noexcept;
    // Whom its workers tell what they do: null without a broker, and before the threads start.
    [[nodiscard]] feedback_sink* broker() const noexcept { return broker_.get(); }
    [[nodiscard]] std::uint32_t active() const noexcept { return active_.get(); }

    // Waits until no task is in the runtime. Throws usage_error outside the root task and inside isolated(), and what was
    // kept.
    void barrier(worker& self);
    // Of a task that nobody else awaits: the first one since the last barrier is kept.
    void keep_failure(std::exception_ptr failure) noexcept;

    // Of the default runtime, whose end is that of the process (end_of_process.cpp): by exit().
    void process_ends() noexcept;
    // By each thread that comes in: before that, as its variables go, if it is main()'s.
    void wait_with_main() noexcept;

    // Between root_begins() and root_ends() cancel() has an effect: all tasks leave by `cancelled`.
    // A run() that begins while others are being cancelled throws `cancelled` at once.
    void root_begins();
    void root_ends() noexcept;
    // In a signal handler, too.
    void cancel() noexcept;

    // One of its workers blocks, so that another one may work in its place: a thread that stands in (stand_ins.cpp).
    void lend_place() noexcept;
    void take_back_place() noexcept;
    // Somebody waits here for what only jobs that nobody takes may bring.
    void require_takers() noexcept;
    [[nodiscard]] bool has_takers() const noexcept { return has_takers_.get(); }
    // Is this one of its workers, by its number not among the active, to stop working?
    [[nodiscard]] bool must_go(const worker& self) const noexcept;

    // Threads start when there is a first task for them. Throws usage_error in a child of fork().
    void start_threads();

    // Throws usage_error in a child of fork(): the threads are the parent's.
    void require_this_process() const {
        if (!is_of_this_process()) [[unlikely]]
            throw_other_process();
    }
    [[noreturn, gnu::cold]] static void throw_other_process();
    [[nodiscard]] bool is_of_this_process() const noexcept { return forks_ == forks_so_far(); }

    // With options::complain_after, once there is a wait that lasts.
    [[nodiscard]] complainer* who_complains() const noexcept { return complainer_.get(); }

    void dump_state(std::FILE* out) const;
    // Of all that the process has.
    static void dump_all(std::FILE* out);
    // Of each worker, up to now; empty unless options::profile.
    [[nodiscard]] std::vector<worker_times> times() const;
    // On standard error, with PARLEY_PROFILE=1: at its end.
    void show_times() const noexcept;

    // --- shared by the media ---------------------------------------------------------------------
    sync::lobby lobby;
    sync::injector<job, &job::next> jobs;
    sync::shared_counter jobs_sent;
    sync::published<bool> barrier_open{false};
    sync::published<protocol::worker_id> manager{0};  // who scans; see protocol::worker::stay_away()
    [[no_unique_address]] protocol::part_of_runtime<task> of_machine;
    sync::event_count outside;
    sync::role watch;  // of the sleeper who looks after the others: see watchdog.hpp

    // Are workers interrupted that do not look (options::watchdog)?
    [[nodiscard]] bool watches() const noexcept { return settings_.watchdog != watchdogs::off && size() > 1; }
    [[nodiscard]] bool interrupts_for_every_request() const noexcept { return tuning_.interrupts_for_every_request; }

    // Do thieves pause after a failure instead of resting (tuning::failed)?
    [[nodiscard]] bool backs_off() const noexcept { return tuning_.failed == failed_requests::backoff; }
    // Does a producer take its time (tuning::answers)? Not where nobody would interrupt it.
    [[nodiscard]] bool paces_answers() const noexcept {
        return !circulates() && tuning_.answers == answering::paced && pace::matters(size()) && watches();
    }
    // Do requests circulate, without ever resting (protocol/machine.hpp)?
    [[nodiscard]] static constexpr bool circulates() noexcept { return protocol::requests_circulate; }

private:
    struct deletes_worker {
        void operator()(worker* w) const noexcept;
    };
    using owned_worker = std::unique_ptr<worker, deletes_worker>;
    [[nodiscard]] owned_worker make_worker(protocol::worker_id id);
    [[nodiscard]] worker& seat(protocol::worker_id id) const noexcept {
        return is_visitor(id) ? *visitor_seats_[id - size()] : *workers_[id];
    }
    [[nodiscard]] bool collect_from(worker& kept) noexcept;
    [[nodiscard]] worker* free_seat() noexcept;
    [[nodiscard]] worker* free_visitor() noexcept;
    [[nodiscard]] worker* make_visitor(std::uint32_t most);
    [[nodiscard]] worker* wait_for_seat() noexcept;
    void tell_of_seat() noexcept;
    [[nodiscard]] bool could_be_more_visitors() const noexcept;
    void begin_as(worker& self) noexcept;
    void end_as(worker& self) noexcept;
    void sit_down(worker& self) noexcept;
    void get_up(worker& self) noexcept;
    void enter_at_the_end() noexcept;
    void lower_cancel() noexcept;
    void hear_of_cancellation(worker& fresh) noexcept;
    void thread_main(worker& self) noexcept;
    void start_stand_in();
    explicit pool(setting&& resolved);
    void record_visit(const worker& self, bool begins) noexcept {
        if (recording_ && self.id == 0) [[unlikely]]
            show_visit(recording_->of(0), begins);
    }
    [[gnu::noinline, gnu::cold]] void show_visit(trace::recorder& of_worker_0, bool begins) noexcept;

    // Among those that dump_all() shows.
    class shown_in_dumps {
    public:
        explicit shown_in_dumps(const pool& p);
        ~shown_in_dumps();
        shown_in_dumps(const shown_in_dumps&) = delete;
        shown_in_dumps& operator=(const shown_in_dumps&) = delete;

    private:
        const pool& pool_;
    };

    const options settings_;
    const tuning tuning_;
    const bool shows_times_;
    std::uint64_t forks_ = forks_so_far();                     // where it was made
    std::unique_ptr<depot, depot::abandon> depot_{new depot};  // futures that outlive the runtime lie in it
    const std::unique_ptr<trace::recording> recording_;        // outlives the workers
    const std::unique_ptr<const nearest_map> nearest_;
    sync::cancellation cancellation_;
    bool is_default_ = false, lets_keep_ = false;  // written before others know of the pool
    sync::shared_counter keepers_;
    void wait_for_all(worker& self, awaited what);
    [[nodiscard]] bool has_spawned() const noexcept;
    [[nodiscard]] bool has_no_tasks() noexcept;
    [[nodiscard]] bool work_at_the_end() noexcept;
    void wait_at_the_end() noexcept;
    void throw_what_was_kept();
    void show_what_was_kept() noexcept;
    sync::flag failed_;
    std::mutex failure_mutex_;
    std::exception_ptr failure_;                // under failure_mutex_
    sync::published<std::uint32_t> active_{1};  // changed under resize_mutex_
    std::mutex resize_mutex_;
    bool running_ = false;  // the threads; written under started_
    sync::installed_once<feedback_sink> broker_;
    std::unique_ptr<feedback_sink> own_broker_;  // written under started_
    std::vector<owned_worker> workers_;
    // Those below visitors_ exist. Changed under visitors_mutex_; a number goes round by channels, after that.
    std::unique_ptr<owned_worker[]> visitor_seats_;
    sync::published<std::uint32_t> visitors_{0};
    std::vector<protocol::worker_id> free_visitors_;
    std::mutex visitors_mutex_;
    std::optional<shown_in_dumps> in_dumps_;  // while it has its members
    std::vector<pthread_t> threads_;
    std::vector<pthread_t> stand_ins_;         // under visitors_mutex_
    std::vector<worker*> standing_in_;         // as whom
    sync::shared_counter lent_;                // places of workers that block
    sync::published<bool> has_takers_{false};  // there is one who stands in
    std::vector<worker*> seat_wanted_;         // workers of other runtimes that wait for a seat; under visitors_mutex_
    std::once_flag started_;
    std::mutex seat_;
    sync::shared_counter inside_;             // threads between the first and the last access of enter() and leave()
    std::unique_ptr<complainer> complainer_;  // null without options::complain_after

    friend class worker;
};

// By those who have deposited a request, or by others.
inline bool worker::is_asked_for_what_is_left() const noexcept {
    return (shown.attention.get() & protocol::bits::lobby) != 0 || home.wanting.get() != 0 || must_hand_on.get();
}

inline bool worker::is_to_go() const noexcept { return id >= home.active() && home.must_go(*this); }

}  // namespace parley::inline v0::threading
