/// @file
/// One set of tasks on one rank: who runs them, and until when.
#pragma once

#include <parley/cluster/group.hpp>
#include <parley/cluster/load.hpp>
#include <parley/cluster/node.hpp>
#include <parley/cluster/statistics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace parley::inline v0::cluster {

/// What a task may know of where it runs.
class task_context {
public:
    /// For Parley.
    explicit task_context(group& g) noexcept : group_(&g) {}

    /// The rank that the task runs on.
    [[nodiscard]] position rank() const { return group_->rank(); }
    /// How many ranks there were at the start.
    [[nodiscard]] position ranks() const { return group_->ranks(); }
    /// Looks at the messages if nobody has lately. Needed by nobody where MPI has threads; elsewhere it makes a long task
    /// answer others.
    void poll();
    /// Works for so long and looks at the messages meanwhile; in a simulator it lets virtual time pass.
    void work(double seconds);

private:
    group* group_;
};

class task_set : public load {
public:
    task_set(const task_set&) = delete;
    task_set& operator=(const task_set&) = delete;

    /// Of all ranks; once it has ended.
    [[nodiscard]] const summary& total() const noexcept { return total_; }
    /// Of this rank, as options::timeline allows; once it has ended.
    [[nodiscard]] const std::vector<stretch_of_work>& timeline() const noexcept { return timeline_; }
    /// Of this rank.
    [[nodiscard]] statistics own() const;

protected:
    // `types`: in words, what the tasks are; the ranks must have the same.
    task_set(group& g, termination ends, std::string_view types) noexcept;
    virtual ~task_set() = default;

    // Collective: enters the group, and leaves it; the most derived class does both, for they call it.
    void enter();
    void leave() noexcept;

    // Runs a task that waits, or some, without the lock. What it throws ends the work of all ranks.
    virtual void run_one(task_context&) = 0;
    // What this rank says at the end is put together.
    virtual void sum_begins() {}
    // A rank was lost: it holds nothing of other ranks any more; what is not done of its own waits again.
    virtual void restart() = 0;

    // Runs tasks until over(), which is called with the lock held; those of other sets, too, when this one has none.
    void drive(const std::function<bool()>& over);
    // Until all ranks are done with all of them. Throws task_failed.
    void drive_to_end();
    // With the lock held: all ranks are done.
    [[nodiscard]] bool has_ended();
    void throw_if_failed() const;

    [[nodiscard]] std::mutex& lock() const noexcept { return home_.lock_; }
    [[nodiscard]] double now() { return home_.medium_->now(); }
    [[nodiscard]] double look_interval() const noexcept { return home_.how_.look_seconds / 10; }
    [[nodiscard]] std::size_t most_held() const noexcept { return home_.how_.held_bytes; }
    [[nodiscard]] std::size_t most_pooled() const noexcept { return home_.how_.pool_bytes; }

    // --- with the lock held
    [[nodiscard]] node& protocol() noexcept { return *node_; }
    [[nodiscard]] position self() const noexcept { return home_.graphs_.back()->self(); }
    void look_and_go_on() {
        home_.look();
        home_.throw_if_broken();
    }
    void task_begins() noexcept;
    // `counted`: how many of them are in the statistics already.
    void task_ends(std::uint64_t tasks, double begin, double seconds, std::uint64_t counted = 0);
    [[nodiscard]] std::size_t running() const noexcept { return running_; }

private:
    friend class group;

    void begin(const node::name&);
    // `hired`: for more workers, if this thread may have some.
    void drive_here(const std::function<bool()>& over, scope* hired);

    // --- load
    [[nodiscard]] bool is_attended() const final { return home_.drivers_ > 0; }
    [[nodiscard]] std::size_t free_workers() const final {
        const std::size_t here = home_.hired_in_ != nullptr ? home_.workers_ : std::min(home_.workers_, home_.drivers_);
        return here - std::min(here, home_.running_);
    }
    [[nodiscard]] std::uint64_t tasks_run() const final { return node_->count().tasks; }
    void begin_sum() final;

    group& home_;
    termination ends_;
    std::uint32_t types_;
    std::unique_ptr<node> node_;
    summary total_;
    std::vector<stretch_of_work> timeline_;
    double began_ = 0.0;
    std::size_t running_ = 0;
    std::size_t users_ = 0;  // workers that are in run_one()
};

}  // namespace parley::inline v0::cluster
