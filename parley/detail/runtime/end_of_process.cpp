// The end of a process whose default runtime has tasks that nobody awaits.
//
// Tasks of spawn() are run before the process ends by a return from main() or by exit() on the thread of main(), outside
// tasks. Whoever ends it otherwise does not wait: a task would wait for itself, and another thread that ends the process
// means to end what main() does, too.
//
// The wait comes before static objects are destroyed, if it can: with the variables of main()'s thread (wait_with_main()).
#include <parley/detail/base/contract.hpp>
#include <parley/detail/runtime/complaints.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/seated.hpp>
#include <parley/detail/runtime/wait.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace parley::inline v0::threading {

namespace {

// Without options::complain_after.
constexpr std::chrono::seconds before_it_says_why{10};

bool is_thread_of_main() noexcept { return this_thread() == static_cast<int>(::getpid()); }

struct sums {
    std::uint64_t sent = 0, received = 0;
    friend bool operator==(const sums&, const sums&) = default;
};

}  // namespace

bool pool::has_spawned() const noexcept {
    for (protocol::worker_id id = 0; id < seats(); ++id)
        if (at(id).spawns_loose.get()) return true;
    return false;
}

// As protocol::terminated(), by a thread that is none of the workers that it looks at. Those that it is, further up its
// stack, run the task that asks.
bool pool::has_no_tasks() noexcept {
    const std::unique_lock free_seat(seat_, std::try_to_lock);  // while nobody sits there, nothing is left there
    const auto is_idle = [&](worker& w) {
        if (w.standing.idle.get() || (w.id == 0 && free_seat.owns_lock())) return true;
        for (const worker* mine = innermost; mine != nullptr; mine = mine->outer)
            if (mine == &w)
                return w.queued() == 0 && w.job == nullptr && w.isolated_message == nullptr && !w.suspended.any() &&
                       w.loops.to_split() == nullptr;
        return w.keeps.get() && is_left_with_nothing(w);
    };
    const auto look = [&](sums& sum) {
        bool all_idle = true;
        for (protocol::worker_id id = 0; id < seats(); ++id) {
            worker& w = at(id);
            all_idle = all_idle && is_idle(w);
            sum.sent += w.standing.sent.get();
            sum.received += w.standing.received.get();
        }
        sum.sent += jobs_sent.get();
        return all_idle && sum.sent == sum.received;
    };
    sums first, second;
    return look(first) && look(second) && first == second;
}

// One turn of the wait: true if it is over for certain.
bool pool::work_at_the_end() noexcept {
    const seated here(*this);
    worker& self = here.self();
    if (self.at_root()) {
        wait_for_all(self, awaited::end_of_process);
        return true;
    }
    // Another thread has worker 0's place. This one does what it has got, and what nobody else takes.
    wait(
        self, protocol::standing::between_tasks, awaited::end_of_process,
        [](const void* w) {
            const worker& of = *static_cast<const worker*>(w);
            return of.queued() == 0 && of.job == nullptr && of.home.jobs.empty();
        },
        &self);
    return false;
}

void pool::wait_at_the_end() noexcept {
    if (has_no_tasks()) return;
    complainer of_this_wait(*this, before_it_says_why);
    complainer& who = complainer_ != nullptr ? *complainer_ : of_this_wait;
    who.end_has_to_wait(ending::process);
    const auto work = [this] {
        while (!work_at_the_end() && !has_no_tasks()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    // Another thread runs what is left, since a task may use thread-local variables, and those of this one are destroyed.
    try {
        std::thread(work).join();
    } catch (const std::system_error&) {
        work();
    }
    who.end_goes_on();
}

void pool::process_ends() noexcept {
    if (!is_of_this_process()) return;
    if (has_spawned()) {
        if (innermost == nullptr && is_thread_of_main()) wait_at_the_end();
        else if (!circulates() && !has_no_tasks())
            std::fputs(
                "parley: exit() was called by a task, or not by main()'s thread: tasks of spawn() are left, and are lost\n",
                stderr);
    }
    show_what_was_kept();
    show_times();
}

void pool::wait_with_main() noexcept {
    static thread_local const pool* has_come_into = nullptr;
    if (std::exchange(has_come_into, this) == this || !is_thread_of_main()) return;
    struct at_end_of_main {
        pool* home = nullptr;
        ~at_end_of_main() {
            if (home->is_of_this_process() && innermost == nullptr && home->has_spawned()) home->wait_at_the_end();
        }
    };
    static thread_local at_end_of_main ends;
    ends.home = this;
}

}  // namespace parley::inline v0::threading
