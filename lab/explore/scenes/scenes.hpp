// The scenes, by what they are about, and what they share.
#pragma once

#include <lab/explore/scene.hpp>
#include <parley/fork_join.hpp>
#include <parley/options.hpp>
#include <parley/runtime.hpp>

#include <vector>

namespace parley::explore {

std::vector<scene> scenes_of_tasks();
std::vector<scene> scenes_of_waits();
std::vector<scene> scenes_of_threads();
std::vector<scene> scenes_of_signals();
std::vector<scene> scenes_of_streams();
std::vector<scene> scenes_of_lives();
std::vector<scene> scenes_of_answers_taken_back();
std::vector<scene> scenes_of_coroutines();

// A runtime whose workers have begun, and found nothing to do.
class rested_runtime : public runtime {
public:
    explicit rested_runtime(unsigned workers, watchdogs watchdog = watchdogs::off)
        : runtime({.workers = workers, .watchdog = watchdog}) {
        run([] { barrier(); });
        let_others_wait();
    }
};

// By a task that looks up again and again, until another one has made it so.
template <class Condition>
void look_until(const Condition& holds) {
    while (!holds()) {
        poll();
        give_way();
    }
}

// Of the calling thread: is it in something that a foreign task must not be begun on top of?
inline thread_local bool is_inside = false;

class inside {
public:
    inside() noexcept : before_(is_inside) { is_inside = true; }
    ~inside() { is_inside = before_; }
    inside(const inside&) = delete;
    inside& operator=(const inside&) = delete;

private:
    const bool before_;
};

// By a task: three, if the fork is right.
inline int forked_sum() {
    const auto [a, b] = fork_join([] { return 1; }, [] { return 2; });
    return a + b;
}

}  // namespace parley::explore
