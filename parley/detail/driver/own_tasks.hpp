// A wait runs tasks of the worker's own deque here.
#pragma once

#include <parley/detail/driver/asking.hpp>
#include <parley/detail/driver/condition.hpp>
#include <parley/detail/driver/host.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

// Asks ahead of time. Then runs a high task if there is one, or else `t`, and shows it to people.
template <host Host>
[[gnu::noinline]] void look_and_run(Host h, typename Host::task* t) {
    {
        [[maybe_unused]] const auto here = h.uninterrupted();  // no handler may come while `t` goes back
        if (h.policy().ahead_of_time.is_on()) ask_early(h);
        if (h.run_high_before(t)) return;
    }
    h.run_shown(t);
}

// Runs tasks of the own deque. True: there was one. Between two tasks it serves thieves (I9), because tasks that never
// fork would otherwise keep them waiting (TH figure 3.2).
template <host Host, condition Condition>
[[gnu::always_inline]] inline bool run_own_tasks(Host h, Condition& done) {
    typename Host::task* t = h.pop();
    if (t == nullptr) return false;
    const std::uint32_t news = h.news_seen();
    do {
        if (h.looks_between_tasks()) [[unlikely]]
            look_and_run(h, t);
        else h.run(t);
        if (h.looks_up_after_task()) [[unlikely]] {
            h.serve_others();
            break;
        }
        // A look inside the task has found news, e.g. that this worker is to go.
        if (done.may_hold() || h.news_seen() != news) break;
        t = h.pop();
    } while (t != nullptr);
    return true;
}

// Runs a high task if there is one, and then serves others if they have asked meanwhile.
template <host Host>
bool run_high_and_serve(Host h) {
    if (!h.run_high()) return false;
    if (h.is_wanted()) h.serve_others();
    return true;
}

}  // namespace parley::inline v0::threading
