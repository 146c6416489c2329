// One run of a pipeline: its tasks, its tokens, its first failure, its end.
//
// It is over when the source has ended and all tokens are back. The thread that brings the last token ends it. Until
// then the flow counts one task as spawned that does not exist. So the scope of all tasks does not complete, even if no
// task is there. A stream that waits for other threads costs nothing.
#pragma once

#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/scope_core.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/credits.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/farm/batch_size.hpp>
#include <parley/farm/held_back.hpp>
#include <parley/farm/parcel.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

namespace parley::inline v0::streaming {

// The bounds of a run.
struct bounds {
    std::uint64_t tokens = 0;
    bool per_batch = false;  // a token is for a batch, or else for an item
    std::size_t longest_batch = 1;
    std::size_t fixed_batch = 0;  // 0: the size is measured

    [[nodiscard]] std::size_t parcels() const noexcept { return tokens; }
};

class source_side {
public:
    // There may be something to do for the source. Any thread may call it.
    virtual void wake() noexcept = 0;

protected:
    ~source_side() = default;
};

// Wants to know of a failure, in order to let go of something.
class failure_listener {
public:
    // Called once, by the thread that has failed, while the flow is still there.
    virtual void flow_failed() noexcept = 0;

protected:
    ~failure_listener() = default;
};

class flow {
public:
    flow(threading::worker& owner, const bounds& b);
    flow(const flow&) = delete;
    flow& operator=(const flow&) = delete;

    void set_source(source_side& s) noexcept { source_ = &s; }
    void add_measure(const batch_size& s) { sizes_.push_back(&s); }
    void tell_of_failure(failure_listener& l) { listeners_.push_back(&l); }

    // Any thread may call it, while something of the flow is under way. The errand must not be spawned a second time
    // before it has begun to run.
    void spawn(errand& e) noexcept;

    // A thread of the flow's own counts as a task while it works, so that the objects that it uses stay. A thread that
    // is counted itself calls thread_begins(). The thread calls thread_ends(), and then the flow may be gone.
    void thread_begins() noexcept { core_.count_spawned_outside(); }
    void thread_ends() noexcept { core_.count_done_outside(); }

    // Notes a failure. wait() throws the first one.
    void fail(std::exception_ptr what) noexcept;
    [[gnu::noinline, gnu::cold]] void fail_with_current_exception() noexcept;
    [[nodiscard]] bool failed() const noexcept { return failed_.is_up(); }

    // Tells the source to make no more items; those under way go on. Any thread may call it while the flow is there.
    void stop() noexcept;
    [[nodiscard]] bool stopping() const noexcept { return stopping_.is_up(); }

    // Called between two batches: answers other workers' requests, and notices a cancelled runtime.
    void look_up() noexcept;

    // For the source.
    [[nodiscard]] sync::credits& tokens() noexcept { return tokens_; }
    [[nodiscard]] std::size_t next_batch() const noexcept;
    void source_ended() noexcept;

    // Any thread may call it. If these are the last tokens the flow ends, and may be gone then.
    void give_back(std::uint64_t tokens) noexcept;

    // The owner calls it once, after it has woken the source. It works until the flow is over, and throws the first
    // failure.
    void wait();

    [[nodiscard]] const bounds& limits() const noexcept { return bounds_; }
    [[nodiscard]] threading::pool& home() const noexcept { return core_.home(); }

private:
    static void run_errand(threading::task* t, threading::worker& self);
    // The task that does not exist is done. The caller may be no worker, or may have other things to do, so no task is
    // spawned for this.
    void finish() noexcept { core_.count_done_outside(); }

    threading::scope_core core_;
    const held_back older_;  // made before the source is woken, because the flow's own errands must not be held
    const bounds bounds_;
    sync::credits tokens_;
    sync::flag failed_;
    sync::flag stopping_;
    std::exception_ptr failure_;  // written by the thread that put up failed_, read after the end
    source_side* source_ = nullptr;
    std::vector<const batch_size*> sizes_;
    std::vector<failure_listener*> listeners_;
};

}  // namespace parley::inline v0::streaming
