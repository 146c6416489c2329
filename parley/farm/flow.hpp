// One run of a pipeline: its tasks, its tokens, its first failure, its end.
//
// It is over when the source has ended and all tokens are back; whoever brings the last one ends it. Until then one
// task counts as spawned that there is none of, so the scope of all tasks cannot complete, even while nothing is there
// to be run: a stream that waits for what comes from outside costs nothing.
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

// How much a run may have under way.
struct bounds {
    std::uint64_t tokens = 0;
    bool per_batch = false;  // a token is for a batch, else for an item
    std::size_t longest_batch = 1;
    std::size_t fixed_batch = 0;  // 0: measured

    [[nodiscard]] std::size_t parcels() const noexcept { return tokens; }
};

class source_side {
public:
    // There may be something to do for the source. Any thread.
    virtual void wake() noexcept = 0;

protected:
    ~source_side() = default;
};

// Who has to let go of something when a flow has failed.
class failure_listener {
public:
    // Once, by whoever has failed, while the flow is still there.
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

    // Any thread, while something of the flow is under way. What it does must not be begun a second time before it
    // has begun to run.
    void spawn(errand& e) noexcept;

    // A thread of the flow's own that works for it is a task that counts: what it touches must not go away meanwhile.
    // Begins: by somebody who counts himself. Ends: by that thread, and then the flow may be gone.
    void thread_begins() noexcept { core_.count_spawned_outside(); }
    void thread_ends() noexcept { core_.count_done_outside(); }

    // The first one is thrown by wait().
    void fail(std::exception_ptr what) noexcept;
    [[gnu::noinline, gnu::cold]] void fail_with_current_exception() noexcept;
    [[nodiscard]] bool failed() const noexcept { return failed_.is_up(); }

    // The source is to make no more; what is under way goes on. Any thread, while it is there.
    void stop() noexcept;
    [[nodiscard]] bool stopping() const noexcept { return stopping_.is_up(); }

    // Between two batches: answers other workers' requests, and notices a cancelled runtime.
    void look_up() noexcept;

    // The source's.
    [[nodiscard]] sync::credits& tokens() noexcept { return tokens_; }
    [[nodiscard]] std::size_t next_batch() const noexcept;
    void source_ended() noexcept;

    // Any thread. Ends the flow if these are the last: then it may be gone.
    void give_back(std::uint64_t tokens) noexcept;

    // The owner, once, after the source was woken: works until it is over, and throws the first failure.
    void wait();

    [[nodiscard]] const bounds& limits() const noexcept { return bounds_; }
    [[nodiscard]] threading::pool& home() const noexcept { return core_.home(); }

private:
    static void run_errand(threading::task* t, threading::worker& self);
    // The task that there is none of is done. Whoever is here may be no worker, or one that has other things to do:
    // so it is no task that would have to be run first.
    void finish() noexcept { core_.count_done_outside(); }

    threading::scope_core core_;
    const held_back older_;  // from before the source is woken: the flow's own errands are not to be held
    const bounds bounds_;
    sync::credits tokens_;
    sync::flag failed_;
    sync::flag stopping_;
    std::exception_ptr failure_;  // written by whoever put up failed_, read after the end
    source_side* source_ = nullptr;
    std::vector<const batch_size*> sizes_;
    std::vector<failure_listener*> listeners_;
};

}  // namespace parley::inline v0::streaming
