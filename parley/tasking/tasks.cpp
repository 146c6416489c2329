// ASYNC, SPAWN and SYNC.
#include <parley/tasking/frame.hpp>
#include <parley/tasking/range.hpp>
#include <parley/tasking/record.hpp>
#include <parley/tasking/session.hpp>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <utility>

namespace parley::inline v0::tasking {

namespace {

struct async_head : threading::task {
    static constexpr std::size_t at = PARLEY_TASKING_TASK_AT, room = PARLEY_TASKING_TASK_ROOM;
    async_head(function f, parley_tasking_call c) noexcept : task{f}, call(c) {}
    parley_tasking_call call;
};

template <size S>
struct async_task : record<async_head, S> {
    using base = record<async_head, S>;
    static void run_here(threading::task* t, threading::worker& self) noexcept {
        auto* const me = static_cast<base*>(t);
        self.turn_away();
        self.count_task();
        call_alone(self, me->call, me->arguments(), nullptr);
        base::drop(me, self);
    }
};

struct child_head : threading::task {
    static constexpr std::size_t at = PARLEY_TASKING_CHILD_AT, room = PARLEY_TASKING_CHILD_ROOM;
    child_head(function f, parley_tasking_call c, task_frame& p) noexcept : task{f}, call(c), parent(p) {}
    parley_tasking_call call;
    task_frame& parent;
};

// The exception leaves the catch block before anything is published, because its bookkeeping belongs to this thread
// until then.
std::exception_ptr call_as_child(threading::worker& self, parley_tasking_call call, void* arguments) noexcept {
    try {
        task_frame here(self);
        call(arguments);
        here.sync();
        return nullptr;
    } catch (...) {
        return std::current_exception();
    }
}

template <size S>
struct child_task : record<child_head, S> {
    using base = record<child_head, S>;
    static void run_here(threading::task* t, threading::worker& self) noexcept {
        auto* const me = static_cast<base*>(t);
        self.turn_away();
        self.count_task();
        task_frame& parent = me->parent;
        std::exception_ptr failure = call_as_child(self, me->call, me->arguments());
        base::drop(me, self);
        if (failure != nullptr) [[unlikely]]
            parent.child_has_thrown(std::move(failure));
        parent.child_is_done(self);  // the last access to the parent's frame
    }
};

template <size S>
void* make_task(parley_tasking_call call, std::size_t bytes) noexcept {
    return make_record<record<async_head, S>>(this_worker("ASYNC"), bytes, &async_task<S>::run_here, call);
}

template <size S>
void* make_child(parley_tasking_call call, std::size_t bytes) noexcept {
    threading::worker& self = this_worker("SPAWN");
    task_frame* const parent = task_frame::of(self);
    if (parent == nullptr) complain("SPAWN in a task that is none of ASYNC, SPAWN or FUTURE");
    void* const made = make_record<record<child_head, S>>(self, bytes, &child_task<S>::run_here, call, *parent);
    parent->add_child();
    return made;
}

}  // namespace

// std::terminate() says what was thrown.
void call_alone(threading::worker& self, parley_tasking_call call, void* arguments, range* iterations) noexcept {
    try {
        task_frame here(self);
        here.iterations = iterations;
        call(arguments);
        if (iterations != nullptr) iterations->close();
        here.sync();
    } catch (...) {
        (void)std::fputs("tasking: a task has thrown, and nobody waits for it; a future or a child may throw\n", stderr);
        std::terminate();
    }
}

}  // namespace parley::inline v0::tasking

using namespace parley;  // NOLINT(google-build-using-namespace): what follows has C's names

extern "C" {

void* parley_tasking_small_task(parley_tasking_call call) { return tasking::make_task<tasking::size::small>(call, 0); }
void* parley_tasking_large_task(parley_tasking_call call, size_t bytes) {
    return tasking::make_task<tasking::size::large>(call, bytes);
}
void* parley_tasking_small_child(parley_tasking_call call) { return tasking::make_child<tasking::size::small>(call, 0); }
void* parley_tasking_large_child(parley_tasking_call call, size_t bytes) {
    return tasking::make_child<tasking::size::large>(call, bytes);
}

void parley_tasking_queue(void* task) { tasking::queue(*threading::current, static_cast<threading::task*>(task)); }

void parley_tasking_sync(void) {
    const threading::worker& self = tasking::this_worker("SYNC");
    tasking::task_frame* const here = tasking::task_frame::of(self);
    if (here == nullptr) tasking::complain("SYNC in a task that is none of ASYNC, SPAWN or FUTURE");
    here->sync();
}

}  // extern "C"
