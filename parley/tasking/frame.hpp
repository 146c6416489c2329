// The state of a running task: how many children it has, and which iterations are its own. It lies in the frame of the
// function that runs the task. The worker points to that of the innermost task.
#pragma once

#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/join_counter.hpp>

#include <cstdint>
#include <exception>

namespace parley::inline v0::tasking {

class range;

class task_frame {
public:
    explicit task_frame(threading::worker& w) noexcept : self_(w), before_(w.kept_by_task()), depth_(w.depth()) {
        w.keep_by_task(this);
    }
    // Records of spawned children refer to this frame.
    ~task_frame() {
        if (children_.any()) [[unlikely]]
            wait_for_children();
        self_.keep_by_task(before_);
    }
    task_frame(const task_frame&) = delete;
    task_frame& operator=(const task_frame&) = delete;

    // Returns the frame of the task that runs on this worker, or null if it is no task of tasking.h.
    [[nodiscard]] static task_frame* of(const threading::worker& self) noexcept {
        auto* const in_front = static_cast<task_frame*>(self.kept_by_task());
        return in_front != nullptr && in_front->depth_ == self.depth() ? in_front : nullptr;
    }

    void add_child() noexcept { children_.add(); }
    // Called by the worker that has run the child. Then the frame may be gone.
    void child_is_done(threading::worker& by) noexcept;
    // Called before child_is_done(). The first exception counts.
    void child_has_thrown(std::exception_ptr failure) noexcept;

    // Returns when all children are done; works meanwhile. Throws their first exception, also of children that were
    // done before. If no child is left, all were run on this thread, so it sees the flag.
    void sync() {
        if (children_.any() || failed_.is_up()) [[unlikely]]
            sync_with_children();
    }

    range* iterations = nullptr;

private:
    struct completion;
    [[nodiscard]] bool run_children() noexcept;
    void wait_for_children() noexcept;
    void sync_with_children();

    threading::worker& self_;
    void* const before_;
    const std::uint32_t depth_;
    sync::flag failed_;
    sync::join_counter children_;
    std::exception_ptr failure_;  // written by the thread that put up failed_, read when all are done
};

}  // namespace parley::inline v0::tasking
