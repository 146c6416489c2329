// One set of tasks on one rank: who runs them, and until when.
#pragma once

#include <parley/cluster/group.hpp>
#include <parley/cluster/load.hpp>
#include <parley/cluster/node.hpp>
#include <parley/scope.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>

namespace parley::inline v0::cluster {

class phase;

// What a task may know of where it runs.
class task_context {
public:
    task_context(group& g, phase& p) noexcept : group_(&g), phase_(&p) {}

    [[nodiscard]] position rank() const { return group_->rank(); }
    [[nodiscard]] position ranks() const { return group_->ranks(); }
    // Looks at the messages if nobody has lately. Needed by nobody where MPI has threads; elsewhere it makes a long task
    // answer others.
    void poll();
    // Works for so long and looks at the messages meanwhile; in a simulator it lets virtual time pass.
    void work(double seconds);

private:
    group* group_;
    phase* phase_;
};

class phase : public load {
public:
    phase(const phase&) = delete;
    phase& operator=(const phase&) = delete;

    [[nodiscard]] node& protocol() noexcept { return *node_; }
    // Of all ranks; once it has ended.
    [[nodiscard]] const summary& total() const noexcept { return total_; }
    // Of this rank.
    [[nodiscard]] const statistics& own() const { return node_->count(); }

protected:
    phase(group& g, termination ends) noexcept : home_(g), ends_(ends) {}
    ~phase() = default;

    // Collective: enters the group, and leaves it; the most derived class does both, for they call it.
    void enter();
    void leave() noexcept;

    // Runs a task that waits, or some, without the lock. False: there was none.
    virtual bool run_one(task_context&) = 0;
    // What this rank says at the end is put together.
    virtual void sum_begins() {}
    // Holds nothing of other ranks any more; what is not done of its own waits again. `self` is its position now.
    virtual void restart(position self) = 0;

    // Runs tasks until over(), which is called with the lock held.
    void drive(const std::function<bool()>& over);
    // Until all ranks are done with all of them. Throws task_failed.
    void drive_to_end();
    // What drive_to_end() does once they are.
    void throw_if_failed();

    [[nodiscard]] std::mutex& lock() noexcept { return home_.lock_; }
    [[nodiscard]] group& home() noexcept { return home_; }
    [[nodiscard]] double now() { return home_.medium_->now(); }
    [[nodiscard]] const overlay& graph() const noexcept { return *home_.graph_; }
    [[nodiscard]] double look_interval() const noexcept { return home_.how_.look_seconds / 10; }
    // With the lock held.
    void look() { home_.look(); }
    [[nodiscard]] std::size_t home_held() const noexcept { return home_.how_.held_bytes; }
    // Collective.
    void require_same_types(const char* names, std::initializer_list<std::uint64_t> sizes);

    // With the lock held: around each task.
    void task_begins() noexcept { ++running_; }
    void task_ends(std::uint64_t tasks, double seconds) noexcept;
    [[nodiscard]] std::size_t running() const noexcept { return running_; }

private:
    friend class group;
    friend class task_context;

    void begin(std::uint32_t context, std::uint32_t epoch);
    void run_tasks();
    void drive_here(const std::function<bool()>& over);
    // More workers for tasks that wait; with the lock held, from a thread that is no worker.
    void hire();
    // How many of them; they count as hired.
    [[nodiscard]] std::size_t wanted();

    // --- load
    [[nodiscard]] std::size_t free_workers() const final {
        return home_.workers() - std::min<std::size_t>(home_.workers(), running_);
    }
    [[nodiscard]] std::uint64_t tasks_run() const final { return node_->count().tasks; }
    void begin_sum() final;

    group& home_;
    termination ends_;
    std::unique_ptr<node> node_;
    summary total_;
    double began_ = 0.0;
    std::size_t running_ = 0;
    std::size_t hired_ = 0;
    scope* workers_ = nullptr;
};

}  // namespace parley::inline v0::cluster
