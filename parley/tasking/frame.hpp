// What a running task keeps: how many children it has, and which iterations are its own. In the frame of whoever runs
// the task, on its stack; the worker points to that of the task in front.
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
    explicit task_frame(threading::worker& w) noexcept : self_(w), before_(w.kept_by_task), depth_(w.depth) {
        w.kept_by_task = this;
    }
    // What spawn has made refers to this frame.
    ~task_frame() {
        if (children_.any()) [[unlikely]]
            wait_for_children();
        self_.kept_by_task = before_;
    }
    task_frame(const task_frame&) = delete;
    task_frame& operator=(const task_frame&) = delete;

    // That of the task that runs on this worker; null in one that is none of tasking.h's.
    [[nodiscard]] static task_frame* of(const threading::worker& self) noexcept {
        auto* const in_front = static_cast<task_frame*>(self.kept_by_task);
        return in_front != nullptr && in_front->depth_ == self.depth ? in_front : nullptr;
    }

    void add_child() noexcept { children_.add(); }
    // By the worker that has run it; then the frame may be gone.
    void child_is_done(threading::worker& by) noexcept;
    // Before that; the first one counts.
    void child_has_thrown(std::exception_ptr failure) noexcept;

    // Returns when all children are done; works meanwhile. Throws the first exception of theirs, also of those that are
    // done already: where none is left to wait for, all were run on this thread, which so sees the flag.
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
    std::exception_ptr failure_;  // written by whoever put up failed_, read when all are done
};

}  // namespace parley::inline v0::tasking
