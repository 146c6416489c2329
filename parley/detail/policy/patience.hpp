// How long a worker waits for what before it does something about it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

// One worker's. With few workers it is always the same. With many, a request is handed on by up to n - 1 victims, and
// waits behind the others' where there is something to have; if all let theirs rest meanwhile, all look at the lobby,
// which is one line for them all. So each begins with n^2 times 10 ns more: long enough for 240 workers, and next to
// nothing for 16 (found in simulation: docs/evidence/simulated.md, "Beyond the papers"). But where the victims do not look,
// since their tasks are long, each hop may take a task's length, and the lobby is the shorter way. So who has waited in vain
// waits an eighth less of that the next time, and who was answered in time twice as much, up to where it began.
class patience {
public:
    using duration = std::chrono::nanoseconds;

    // `chosen_us`: always so many microseconds with a victim; 0: see above.
    patience(std::uint32_t workers, unsigned chosen_us) noexcept
        : least_(chosen_us == 0 ? usual : std::chrono::microseconds(chosen_us)),
          most_longer_(chosen_us == 0 ? longer_among(workers) : duration{}),
          longer_(most_longer_) {}

    // Unanswered after this long, a request rests in the lobby (the time D of the protocol). Several
    // times what a victim that looks takes to answer.
    [[nodiscard]] duration with_victim() const noexcept { return least_ + longer_; }

    // Whoever has not looked for that long may be in a task that does not poll (docs/guide/polling.md). Longer than what a
    // signal costs victim and thief together: so who waits until the task ends has hardly ever paid for one as well.
    [[nodiscard]] duration with_tasks() const noexcept { return with_victim() + before_signal(); }

    // Of a worker that asks, or for nothing. With few workers about two wake-ups' worth at first: a futex round trip takes
    // 10 to 20 us here, and who spins as long as sleeping would cost is at most twice as slow as who knew (Karlin et al.
    // 1991).
    [[nodiscard]] duration before_sleep(bool asks) const noexcept {
        return asks ? with_victim() + awake() : usual + least_awake;
    }

    // Sending the signal took so long, looking whether it may be sent included. A microsecond or two, but in a virtual
    // machine, where one processor interrupts another by way of the machine below, 10 to 30. One that took long because
    // the thread lost its processor counts for little.
    void has_interrupted(duration so_long) noexcept {
        signal_ = std::clamp(so_long, cheapest_signal, std::min(2 * signal_, dearest_signal));
    }

    // One that had asked, until somebody woke it. Where phases follow each other, waits may be so short that each phase
    // begins with a wake-up: it stays awake twice as long the next time. Half as long where it would have had to wait
    // longer than it may. So it is the whole wait that counts: else one that sleeps a little each time would never learn.
    void has_slept(duration so_long) noexcept {
        awake_ = awake() + so_long < most_awake ? std::min(2 * awake_, most_awake) : std::max(awake_ / 2, least_awake);
    }

    // With more threads than cores, the victim that is to answer may be waiting for this very core.
    static constexpr duration before_giving_way = std::chrono::microseconds(10);

    // The request rests, unanswered; or its worker sleeps, which a thread that has given way may find it time for at once.
    void was_in_vain() noexcept { in_vain_ = true; }
    // There are tasks; a job is taken for an answer.
    void was_answered() noexcept {
        longer_ = in_vain_ ? longer_ - longer_ / 8
                           : std::min(most_longer_, std::max<duration>(2 * longer_, std::chrono::microseconds(1)));
        in_vain_ = false;
    }

private:
    static constexpr duration usual = std::chrono::microseconds(10);
    // The most is what a wake-up may cost where the kernel puts the woken thread on the processor of who wakes it: there it
    // goes on at the end of a time slice, 2.5 ms later (docs/evidence/performance.md, "Losses").
    static constexpr duration least_awake = std::chrono::microseconds(30), most_awake = 64 * least_awake;

    static constexpr duration cheapest_signal = usual / 4, dearest_signal = std::chrono::microseconds(50);

    [[nodiscard]] duration before_signal() const noexcept { return 4 * signal_; }
    // After its request has begun to rest. Whoever was interrupted has time to answer before the thief sleeps.
    [[nodiscard]] duration awake() const noexcept { return std::max(awake_, 2 * before_signal()); }

    static constexpr duration longer_among(std::uint32_t workers) noexcept {
        constexpr duration each(10), most = std::chrono::milliseconds(1);
        const std::int64_t n = std::min(workers, std::uint32_t{1000});  // from some 300 on it is `most`
        return std::min(most, each * (n * n));
    }

    duration least_;
    duration most_longer_;
    duration longer_;
    duration awake_ = least_awake;
    duration signal_ = cheapest_signal;
    bool in_vain_ = false;  // since there were tasks the last time
};

}  // namespace parley::inline v0::threading
