// How long a worker waits before it lets its request rest, interrupts others, or sleeps.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

// The patience of one worker. With few workers the wait for a victim's answer is always the same. With many it adapts:
// 1. A request visits up to n - 1 victims, and waits behind others' requests. If all thieves let theirs rest meanwhile,
//    all use the lobby, which is one cache line. So each begins with n^2 times 10 ns more. That is long enough for 240
//    workers, and nearly nothing for 16 (docs/evidence/simulated.md, "Beyond the papers").
// 2. Victims with long tasks do not look. Then each hop may take as long as a task, and the lobby is faster. So a thief
//    that has waited in vain waits an eighth less of that time the next time.
// 3. A thief that was answered in time waits twice as long the next time, up to where it began.
class patience {
public:
    using duration = std::chrono::nanoseconds;

    // `chosen_us`: the wait for a victim in microseconds, or 0 for the times above. `idle`: options::idle.
    patience(std::uint32_t workers, unsigned chosen_us, std::chrono::microseconds idle = learned) noexcept
        : idle_(std::min<std::chrono::microseconds>(idle, std::chrono::hours(24))),
          least_(chosen_us == 0 ? usual : std::chrono::microseconds(chosen_us)),
          most_longer_(chosen_us == 0 ? longer_among(workers) : duration{}),
          longer_(most_longer_) {}

    // After this time an unanswered request rests in the lobby (D of the protocol). It is several times what a victim
    // that looks takes to answer.
    [[nodiscard]] duration with_victim() const noexcept { return least_ + longer_; }

    // A worker that has not looked for so long may be in a task that does not poll (docs/guide/polling.md). The time is
    // longer than a signal costs victim and thief together. So most thieves that are answered at the end of a task have
    // not paid for a signal, too.
    [[nodiscard]] duration with_tasks() const noexcept { return with_victim() + before_signal(); }

    // After this time the worker sleeps. `asks`: it has a request out or to send. With few workers it is at first about
    // two wake-ups, of 10 to 20 us each. A thread that spins for as long as sleeping costs is at most twice as slow as
    // the best choice (Karlin et al. 1991).
    [[nodiscard]] duration before_sleep(bool asks) const noexcept {
        if (idle_ != learned) return idle_;
        return asks ? with_victim() + awake() : usual + least_awake;
    }

    // Sending a signal took so long, and looking whether it may be sent. It is a microsecond or two, but 10 to 30 in a
    // virtual machine. A single long time counts little, because the thread may have lost its processor.
    void has_interrupted(duration so_long) noexcept {
        signal_ = std::clamp(so_long, cheapest_signal, std::min(2 * signal_, dearest_signal));
    }

    // A worker that had asked slept for so long until somebody woke it. Where phases of a program follow each other,
    // each of them may begin with such a wake-up. So the worker stays awake twice as long the next time. It stays awake
    // half as long if the whole wait was longer than it may stay awake. The whole wait counts: a worker that sleeps a
    // little each time would never learn otherwise.
    void has_slept(duration so_long) noexcept {
        awake_ = awake() + so_long < most_awake ? std::min(2 * awake_, most_awake) : std::max(awake_ / 2, least_awake);
    }

    // With more threads than cores, the victim may be waiting for this core.
    static constexpr duration before_giving_way = std::chrono::microseconds(10);

    // The request rests without an answer, or the worker sleeps. A thread that has given way may find that it is time
    // for both.
    void was_in_vain() noexcept { in_vain_ = true; }
    // Tasks have come. A job counts as an answer.
    void was_answered() noexcept {
        longer_ = in_vain_ ? longer_ - longer_ / 8
                           : std::min(most_longer_, std::max<duration>(2 * longer_, std::chrono::microseconds(1)));
        in_vain_ = false;
    }

private:
    static constexpr std::chrono::microseconds learned{-1};
    static constexpr duration usual = std::chrono::microseconds(10);
    // `most_awake` is what a wake-up may cost if the kernel puts the woken thread on the waker's processor. There it
    // goes on at the end of a time slice, 2.5 ms later (docs/evidence/performance.md, "Losses").
    static constexpr duration least_awake = std::chrono::microseconds(30), most_awake = 64 * least_awake;

    static constexpr duration cheapest_signal = usual / 4, dearest_signal = std::chrono::microseconds(50);

    [[nodiscard]] duration before_signal() const noexcept { return 4 * signal_; }
    // The time that a worker stays awake after its request has begun to rest. An interrupted victim can answer within
    // it.
    [[nodiscard]] duration awake() const noexcept { return std::max(awake_, 2 * before_signal()); }

    static constexpr duration longer_among(std::uint32_t workers) noexcept {
        constexpr duration each(10), most = std::chrono::milliseconds(1);
        const std::int64_t n = std::min(workers, std::uint32_t{1000});  // from about 300 workers on it is `most`
        return std::min(most, each * (n * n));
    }

    duration idle_;
    duration least_;
    duration most_longer_;
    duration longer_;
    duration awake_ = least_awake;
    duration signal_ = cheapest_signal;
    bool in_vain_ = false;  // was a wait in vain since tasks came last?
};

}  // namespace parley::inline v0::threading
