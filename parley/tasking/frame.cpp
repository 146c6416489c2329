#include <parley/tasking/frame.hpp>

#include <parley/detail/driver/wait_loop.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/thread_host.hpp>
#include <parley/tasking/complain.hpp>

#include <exception>
#include <utility>

namespace parley::inline v0::tasking {

// The condition of the wait. Mostly only the worker's own tasks were to be waited for. So the frame is told of children
// elsewhere only from the second look on.
struct task_frame::completion {
    static constexpr threading::awaited awaits = threading::awaited::children;
    sync::join_counter& children;
    bool looked = false;
    bool is_told = false;

    bool operator()() noexcept {
        if (children.are_done()) return true;
        if (looked && !is_told) {
            is_told = true;
            return children.begin_to_wait();
        }
        looked = true;
        return false;
    }
    [[nodiscard]] bool may_hold() const noexcept { return children.are_done(); }
};

void task_frame::child_is_done(threading::worker& by) noexcept {
    threading::worker& parent = self_;
    if (&by == &parent) children_.done_here();
    else if (children_.done_elsewhere()) parent.raise_and_wake(protocol::bits::news);
}

void task_frame::child_has_thrown(std::exception_ptr failure) noexcept {
    if (failed_.put_up()) failure_ = std::move(failure);
}

// Runs the newest tasks first; mostly they are the children, and nobody asks for anything meanwhile. True: all children
// are done. It does what the wait loop would do, without the preparations for more.
bool task_frame::run_children() noexcept {
    while (!children_.are_done()) {
        if (self_.is_wanted() || self_.needs_care_between_tasks() || self_.depth() >= threading::deepest_on_one_stack)
            return false;
        threading::task* const t = self_.pop();
        if (t == nullptr) return false;
        self_.run(t);
        self_.turn_away_from_others();  // the running task may be of another group, or last long
    }
    return true;
}

void task_frame::wait_for_children() noexcept {
    if (run_children()) return children_.settle();
    if (!self_.home().is_of_this_process() && !children_.are_done())
        complain("a child of fork() waits for tasks that only its parent's threads could run");
    completion done{children_};
    if (!done()) threading::wait_loop(threading::thread_host(self_), protocol::standing::in_task, done);
    children_.settle();
}

void task_frame::sync_with_children() {
    wait_for_children();
    if (failed_.is_up()) {
        failed_.take_down();
        std::rethrow_exception(std::exchange(failure_, nullptr));
    }
}

}  // namespace parley::inline v0::tasking
