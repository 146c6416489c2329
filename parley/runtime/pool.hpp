// The workers of one runtime and what they have in common: lobby, injector, threads, seat.
#pragma once

#include <parley/channel/counter.hpp>
#include <parley/channel/event_count.hpp>
#include <parley/channel/flag.hpp>
#include <parley/channel/injector.hpp>
#include <parley/channel/lobby.hpp>
#include <parley/channel/role.hpp>
#include <parley/runtime/forks.hpp>
#include <parley/runtime/nearest.hpp>
#include <parley/runtime/options.hpp>
#include <parley/runtime/strategies.hpp>
#include <parley/runtime/task.hpp>
#include <parley/runtime/task_memory.hpp>
#include <parley/runtime/worker.hpp>
#include <parley/runtime/worker_times.hpp>
#include <parley/trace/recording.hpp>

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

// Whom a future or a scope wakes: a worker by its number, the threads outside (one of which may wait
// as worker 0), or everybody.
inline constexpr std::uint32_t waiter_outside = 1;
inline constexpr std::uint32_t waiter_anybody = 2;
constexpr std::uint32_t waiter_number(protocol::worker_id id) noexcept { return id + 3; }
static_assert(current_group::nobody == 0);  // the numbers of waiters begin after it

class pool {
public:
    explicit pool(const options& chosen);
    ~pool();  // drains: every task is done, every request home, then the threads end
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;

    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(members_.size());
    }
    [[nodiscard]] worker& at(protocol::worker_id id) noexcept { return members_[id]->self; }
    [[nodiscard]] const worker& at(protocol::worker_id id) const noexcept {
        return members_[id]->self;
    }
    [[nodiscard]] protocol_worker& protocol_of(protocol::worker_id id) noexcept {
        return members_[id]->machine;
    }
    [[nodiscard]] const options& settings() const noexcept { return settings_; }

    // Is every task run where it is made (options::serial)?
    [[nodiscard]] bool serial() const noexcept { return settings_.serial; }

    // options::queue_bound in blocks of the deque.
    [[nodiscard]] std::size_t queue_blocks() const noexcept {
        return (settings_.queue_bound + block::capacity - 1) / block::capacity;
    }

    // The calling thread becomes worker 0 and stops being it (I11). One thread at a time: it has the
    // seat. Threads outside that wait are told when it becomes free.
    [[nodiscard]] bool try_enter() noexcept;  // then `current` is worker 0
    void leave() noexcept;
    // Waits until the seat is free, and enters.
    void enter() noexcept;

    // From any thread: some worker runs the job. The threads must have been started, where there are
    // any: what can fail comes before the job is counted.
    void submit(job* j) noexcept;
    // All of its tasks, as jobs.
    void hand_on_tasks(worker& self);
    // All iterations that have not begun of the loops that it is in.
    void hand_on_loops(worker& self);
    // All of this, what is in its deque by one message.
    void give_up_tasks(worker& self) noexcept;
    void give_up_loops(worker& self) noexcept;
    // Until it has no tasks, no request out and a closed mailbox: nobody's victim (I11).
    void hand_on_all(worker& self);
    // Before its thread goes elsewhere.
    void finish_suspended(worker& self) noexcept;

    // Wakes whom a future or scope named.
    void notify(std::uint32_t waiter) noexcept;

    // Blocks a thread that is no worker. `done` is looked at again and again; it gets `context`.
    // With the seat free, the thread works meanwhile.
    void wait_outside(bool (*done)(const void*), const void* context);

    // How many workers there are to be, the first ones: the others are suspended at the end of a task or at their next
    // wait, and go on when there are to be more. From any thread. Throws usage_error for none, for more than size(),
    // and where requests circulate.
    void resize(std::uint32_t workers);
    void let_go_of_broker();
    void wait_a_moment() const noexcept;
    // Whom its workers tell what they do: null without a broker, and before the threads start.
    [[nodiscard]] feedback_sink* broker() const noexcept { return broker_.get(); }
    [[nodiscard]] std::uint32_t active() const noexcept { return active_.get(); }

    // Waits until no task is in the runtime. Throws usage_error outside the root task, and what was kept.
    void barrier(worker& self);
    // Of a task that nobody else awaits: the first one since the last barrier is kept.
    void keep_failure(std::exception_ptr failure) noexcept;

    // Between root_begins() and root_ends() cancel() has an effect: all tasks leave by `cancelled`.
    // A run() that begins while others are being cancelled throws `cancelled` at once.
    void root_begins();
    void root_ends() noexcept;
    void cancel() noexcept;

    // Threads start when there is a first task for them. Throws usage_error in a child of fork().
    void start_threads();

    // Throws usage_error in a child of fork(): the threads are the parent's.
    void require_this_process() const;
    [[nodiscard]] bool is_of_this_process() const noexcept { return forks_ == forks_so_far(); }

    void dump_state(std::FILE* out) const;
    // Of all that the process has.
    static void dump_all(std::FILE* out);
    // Of each worker, up to now; empty unless options::profile.
    [[nodiscard]] std::vector<worker_times> times() const;

    // --- shared by the media ---------------------------------------------------------------------
    channel::lobby lobby;
    channel::injector<job, &job::next> jobs;
    channel::shared_counter jobs_sent;
    channel::published<bool> barrier_open{false};
    channel::published<protocol::worker_id> manager{0};  // who scans; see protocol::worker::stay_away()
    channel::shared_counter registered_idle;  // workers, where requests circulate
    task no_task{};                           // what an answer without tasks carries
    channel::event_count outside;
    channel::role watch;  // of the sleeper who looks after the others: see watchdog.hpp
    const chosen_splitting split;

    // Are workers interrupted that do not look (options::watchdog)?
    [[nodiscard]] bool watches() const noexcept { return settings_.watchdog != watchdogs::off && size() > 1; }
    [[nodiscard]] bool interrupts_for_every_request() const noexcept {
        return settings_.watchdog == watchdogs::every_request;
    }

    // Do thieves pause after a failure instead of resting (options::failed)?
    [[nodiscard]] bool backs_off() const noexcept { return settings_.failed == failed_requests::backoff; }
    // Does a producer take its time (options::answers)? Not where nobody would interrupt it.
    [[nodiscard]] bool paces_answers() const noexcept {
        return settings_.answers == answering::paced && pace::matters(size()) && !circulates() && watches();
    }
    // Without ever resting (options::termination)?
    [[nodiscard]] bool circulates() const noexcept { return settings_.termination != termination_by::scan; }

private:
    struct alignas(2 * base::cache_line) member {
        member(pool& owner, protocol::worker_id id, const options& chosen);
        worker self;
        protocol_worker machine;
    };
    void thread_main(protocol::worker_id id) noexcept;
    pool(const options& resolved, int);
    void sit_down() noexcept;
    void record_visit(bool begins) noexcept {
        if (recording_) [[unlikely]]
            show_visit(recording_->of(0), begins);
    }
    [[gnu::noinline, gnu::cold]] void show_visit(trace::recorder& of_worker_0, bool begins) noexcept;
    [[nodiscard]] bool no_root_runs() const noexcept;

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

    options settings_;
    std::uint64_t forks_ = forks_so_far();  // where it was made
    std::unique_ptr<depot, depot::abandon> depot_{new depot};  // futures that outlive the runtime lie in it
    const std::unique_ptr<trace::recording> recording_;  // outlives the workers
    const std::unique_ptr<const nearest_map> nearest_;
    channel::shared_counter roots_, roots_ended_;
    channel::published<bool> cancelling_{false};  // changed under cancel_mutex_
    std::mutex cancel_mutex_;
    void wait_for_all(worker& self);
    void throw_what_was_kept();
    void show_what_was_kept() noexcept;
    channel::flag failed_;
    std::mutex failure_mutex_;
    std::exception_ptr failure_;  // under failure_mutex_
    channel::published<std::uint32_t> active_{1};  // changed under resize_mutex_
    std::mutex resize_mutex_;
    bool running_ = false;  // the threads; written under started_
    channel::installed_once<feedback_sink> broker_;
    std::unique_ptr<feedback_sink> own_broker_;  // written under started_
    std::vector<std::unique_ptr<member>> members_;
    std::optional<shown_in_dumps> in_dumps_;  // while it has its members
    std::vector<pthread_t> threads_;
    std::once_flag started_;
    std::mutex seat_;

    friend class worker;
};

inline bool worker::is_to_go() const noexcept { return id >= home.active(); }

}  // namespace parley::inline v0::threading
