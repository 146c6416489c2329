// Knows how long a worker has found nothing to do, and advises what to do about it.
#pragma once

#include <parley/detail/policy/patience.hpp>
#include <parley/detail/policy/weighing.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

// From `give_way` on the spinning thread lets other threads have its core.
enum class idle_advice : std::uint8_t { spin, give_way, rest, sleep };

// Host::now() is the time, and Host::turns_per_look the number of turns that cost as much as asking for it.
// Host::policy() is what the worker has learnt.
template <class Host>
class idle {
public:
    using time_point = std::chrono::steady_clock::time_point;

    // Begins anew, because the worker has found work or has slept.
    void found_work() noexcept {
        turns_ = 0;
        last_ = idle_advice::spin;
        interrupted_ = false;
        waited_ = tries_again_after_ = {};
    }

    // At the last look at the clock: has the worker found nothing for so long?
    [[nodiscard]] bool has_waited(time_point::duration so_long) const noexcept { return waited_ >= so_long; }

    // Called before the worker asks, so that victims see that it runs (policy/weighing.hpp).
    void searches(Host h) noexcept {
        if (turns_ == 0) h.says_that_it_searches(since_ = h.now());
    }

    // `asks`: the worker's request is out, or it has one to send.
    idle_advice found_nothing(Host h, bool asks) noexcept {
        if (last_ == idle_advice::spin && (turns_++ == 0 || turns_ % Host::turns_per_look != 0)) return idle_advice::spin;
        const time_point now = h.now();
        waited_ = now - since_;
        h.says_that_it_searches(now);
        if (now - back_at_ < stays_once_it_is_back) return last_ = idle_advice::spin;
        const patience& waits = h.policy().patience;
        last_ = waited_ >= waits.before_sleep(asks)      ? idle_advice::sleep
                : waited_ >= waits.with_victim()         ? idle_advice::rest
                : waited_ >= patience::before_giving_way ? idle_advice::give_way
                                                         : idle_advice::spin;
        return last_;
    }

    // Call this instead of Host::pass_time() on the advice to give way. Where others have the core meanwhile, this worker
    // does not run for a whole time slice. So it says that it does not search, and nobody feeds it. Once it is back it
    // spins for a while, in which it can be fed. A victim that has seen it just before may have answered. Then it stays for
    // some turns, but not for ever: the victim may be waiting for this core.
    void gives_way(Host h, idle_advice how, bool is_being_answered, time_point until) noexcept {
        bool& shares_core = h.policy().shares_core;
        if (shares_core) h.says_that_it_searches({});
        if (shares_core && is_being_answered && stayed_++ < stays_for_an_answer) {
            (void)h.pass_time(idle_advice::spin, until);
            return;
        }
        stayed_ = 0;
        shares_core = h.pass_time(how, until);
        if (shares_core) back_at_ = h.now();
    }

    // Returns true once, when it is time to interrupt workers that have not looked.
    bool interrupts_now(Host h) noexcept {
        if (interrupted_ || waited_ < std::max(h.policy().patience.with_tasks(), tries_again_after_)) return false;
        interrupted_ = true;
        return true;
    }

    // Makes interrupts_now() return true once more, since some workers were spared.
    void interrupts_later() noexcept {
        interrupted_ = false;
        tries_again_after_ = waited_ + weighing::may_be_kept / 4;
    }

    // Until this time the last advice holds if nothing happens. So a host of virtual time skips the turns until then.
    // From `rest` on the only other change is that workers are interrupted.
    [[nodiscard]] time_point same_until(Host h, bool asks) const noexcept {
        const patience& waits = h.policy().patience;
        auto next = waits.before_sleep(asks);
        if (waited_ < waits.with_victim()) next = std::min(next, waits.with_victim());
        if (waited_ < waits.with_tasks()) next = std::min(next, waits.with_tasks());
        if (waited_ < tries_again_after_) next = std::min(next, tries_again_after_);
        return since_ + next;
    }

private:
    // Longer than the time between two looks of a victim that keeps what it has while nobody runs (driver/weighing.hpp).
    static constexpr time_point::duration stays_once_it_is_back = std::chrono::microseconds(5);

    // So many turns take some microseconds, and an answer arrives in less.
    static constexpr unsigned stays_for_an_answer = 20;

    unsigned turns_ = 0, stayed_ = 0;
    idle_advice last_ = idle_advice::spin;
    bool interrupted_ = false;
    time_point since_, back_at_ = time_point{} - std::chrono::hours(1);
    time_point::duration waited_{}, tries_again_after_{};
};

}  // namespace parley::inline v0::threading
