#include <parley/detail/protocol/requesting.hpp>
#include <parley/detail/runtime/end_of_process.hpp>

#include <parley/detail/base/contract.hpp>
#include <parley/detail/runtime/barrier.hpp>
#include <parley/detail/runtime/complaints.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/seated.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/watchdog.hpp>

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

// The time after which the wait is explained, without options::complain_after.
constexpr std::chrono::seconds before_it_says_why{10};

bool is_thread_of_main() noexcept { return this_thread() == static_cast<int>(::getpid()); }

struct sums {
    std::uint64_t sent = 0, received = 0;
    friend bool operator==(const sums&, const sums&) = default;
};

bool has_spawned(const pool& home) noexcept {
    for (protocol::worker_id id = 0; id < home.seats().count(); ++id)
        if (home.at(id).shown_part().spawns_loose.get()) return true;
    return false;
}

// Answers as protocol::terminated() does, for a thread that is no worker at this place of its stack. Workers that it is
// further up the stack run the task that asks. So they count as idle if they have nothing else.
bool has_no_tasks(pool& home) noexcept {
    const auto free_seat = home.seats().keep_first_seat_free();  // while nobody sits there, nothing is left there
    const auto is_idle = [&](worker& w) {
        if (w.shown_part().standing.idle.get() || (w.id() == 0 && free_seat.owns_lock())) return true;
        for (const worker* mine = innermost; mine != nullptr; mine = mine->outer())
            if (mine == &w)
                return w.queued() == 0 && w.own_part().in_hand.job == nullptr &&
                       w.own_part().in_hand.isolated_message == nullptr && !w.own_part().suspended.any() &&
                       w.own_part().loops.to_split() == nullptr;
        return w.seat_part().is_kept.get() && home.kept().is_left_with_nothing(w);
    };
    const auto look = [&](sums& sum) {
        bool all_idle = true;
        for (protocol::worker_id id = 0; id < home.seats().count(); ++id) {
            worker& w = home.at(id);
            all_idle = all_idle && is_idle(w);
            sum.sent += w.shown_part().standing.sent.get();
            sum.received += w.shown_part().standing.received.get();
        }
        sum.sent += home.exchange().jobs_sent.get();
        return all_idle && sum.sent == sum.received;
    };
    sums first, second;
    return look(first) && look(second) && first == second;
}

// One turn of the wait. True: the wait is over for certain.
bool work_at_the_end(pool& home) noexcept {
    const seated here(home);
    worker& self = here.self();
    if (self.at_root()) {
        wait_for_all(self, awaited::end_of_process);
        return true;
    }
    // Another thread has worker 0's place. This thread does what it has got, and what nobody else takes.
    wait(
        self, protocol::standing::between_tasks, awaited::end_of_process,
        [](const void* w) {
            const worker& of = *static_cast<const worker*>(w);
            return of.queued() == 0 && of.own_part().in_hand.job == nullptr && of.home().exchange().jobs.empty();
        },
        &self);
    return false;
}

void wait_at_the_end(pool& home) noexcept {
    if (has_no_tasks(home)) return;
    complainer of_this_wait(home, before_it_says_why);
    complainer& who = home.who_complains() != nullptr ? *home.who_complains() : of_this_wait;
    who.end_has_to_wait(ending::process);
    const auto work = [&home] {
        while (!work_at_the_end(home) && !has_no_tasks(home)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    // Another thread runs what is left. A task may use thread-local variables, and those of this thread are destroyed.
    try {
        std::thread(work).join();
    } catch (const std::system_error&) {
        work();
    }
    who.end_goes_on();
}

}  // namespace

void process_ends(pool& home) noexcept {
    if (!home.is_of_this_process()) return;
    if (has_spawned(home)) {
        if (innermost == nullptr && is_thread_of_main()) wait_at_the_end(home);
        else if (!pool::circulates() && !has_no_tasks(home))
            std::fputs(
                "parley: exit() was called by a task, or not by main()'s thread: tasks of spawn() are left, and are lost\n",
                stderr);
    }
    home.roots().show_what_was_kept();
    home.show_times();
}

void wait_with_main(pool& home) noexcept {
    static thread_local const pool* has_come_into = nullptr;
    if (std::exchange(has_come_into, &home) == &home || !is_thread_of_main()) return;
    struct at_end_of_main {
        pool* home = nullptr;
        ~at_end_of_main() {
            if (home->is_of_this_process() && innermost == nullptr && has_spawned(*home)) wait_at_the_end(*home);
        }
    };
    static thread_local at_end_of_main ends;
    ends.home = &home;
}

}  // namespace parley::inline v0::threading
