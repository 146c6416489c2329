// Tells people that a wait lasts long (options::complain_after).
//
// A thread of its own does that, since the threads that wait may be unable to. A task that hangs in a mutex keeps its
// worker, and all waits that are suspended there. The thread begins with the first wait that sleeps or is suspended. It
// looks eight times in the time after which it complains.
//
// A wait for a long computation may last, too. Its worker runs tasks meanwhile. So such a wait is named early only if
// its worker has begun no task for as long.
#pragma once

#include <parley/detail/protocol/request.hpp>
#include <parley/detail/runtime/noted_waits.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/flag.hpp>

#include <chrono>
#include <cstdint>
#include <pthread.h>
#include <string>
#include <vector>

namespace parley::inline v0::threading {

class pool;
class worker;

enum class ending : std::uint8_t { runtime, process };

class complainer {
public:
    using clock = noted_wait::clock;

    complainer(pool& home, std::chrono::milliseconds after) noexcept : home_(home), after_(after) {}
    ~complainer();  // nobody may call begin() any more
    complainer(const complainer&) = delete;
    complainer& operator=(const complainer&) = delete;

    // Starts the thread, unless it runs already. Any thread may call this, any number of times.
    void begin() noexcept;

    // Says which end has to wait. That of the runtime waits for threads that are in it, that of the process for tasks
    // of the default runtime. Any thread may call this.
    void end_has_to_wait(ending of = ending::runtime) noexcept;
    void end_goes_on() noexcept { end_waits_since_.set(0); }

    // A wait whose worker goes on with other tasks may hang nevertheless. It is named after so many times the usual
    // time.
    static constexpr int patience_with_the_busy = 8;

private:
    // The number of tasks that a worker had run, and when that number was last seen to change.
    struct seen {
        std::uint64_t tasks = 0;
        clock::time_point changed;
    };

    void work() noexcept;
    void look();
    void look_at(protocol::worker_id id, clock::time_point now);
    void look_at_end(clock::time_point now);

    pool& home_;
    const clock::duration after_;
    std::vector<seen> seen_;
    clock::duration told_of_end_after_{0};
    sync::hint<clock::rep> end_waits_since_{0};  // 0: the end does not wait
    sync::hint<ending> what_ends_{ending::runtime};
    sync::flag wanted_;
    sync::flag runs_;
    pthread_t thread_{};  // ordered by runs_
    sync::attention ends_;
};

// Notes a wait. Called before the wait sleeps, or lets go of its stack.
void note_wait(worker& self, noted_wait& w, noted_wait::state becomes) noexcept;

// Returns words such as "worker 5, a visitor,".
[[nodiscard]] std::string words_for(const worker& w);

// Returns words such as "since 10.2 s".
[[nodiscard]] std::string words_for(noted_wait::clock::duration lasted);

}  // namespace parley::inline v0::threading
