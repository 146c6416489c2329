// Is what a worker has worth giving yet?
//
// 1. Work that is over before its thief has begun it costs both of them time, and waking a thief costs a system call.
// 2. So what is left must last longer than the thief takes to come. It must also last longer than twice what the victim
//    pays, since the thief does half of it. What a wake-up costs is learned while the program runs.
// 3. For loops it is known how long the rest lasts, because their blocks are timed.
// 4. Of tasks nobody knows that. They are taken to last as long again as they have lasted. So a worker that waits for that
//    loses at most half of what it could have won (the ski rental problem).
#pragma once

#include <parley/detail/policy/sharing.hpp>
#include <parley/detail/protocol/request.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace parley::inline v0::threading {

// A worker that was woken by this one, and has not been seen to run since.
struct somebody_woken {
    protocol::worker_id whom = protocol::no_worker;
    weighing::clock::time_point at, seen_at;  // when it was woken, and when its waker has looked for it last
};

// Knows how long a worker has found nobody that runs, at one look after the other, though somebody rests. On a core that
// thieves share with their victim none of them is ever seen to run. So after some time slices the victim feeds anybody
// who rests.
class nobody_runs {
public:
    using clock = std::chrono::steady_clock;

    // The worker has looked, and has found nobody. `sent`: the answers that it has given so far. True until it has given
    // one: that is so for long.
    [[nodiscard]] bool for_long(clock::time_point now, std::uint64_t sent) noexcept {
        if (now - last_ > of_one_time || sent != sent_) since_ = now;
        last_ = now;
        sent_ = sent;
        return now - since_ >= some_time_slices;
    }

private:
    // A worker that looks less often is interrupted, and gives what there is to anybody (docs/internals/watchdog.md).
    static constexpr auto of_one_time = std::chrono::milliseconds(1);
    static constexpr auto some_time_slices = std::chrono::milliseconds(10);

    clock::time_point since_{}, last_{};
    std::uint64_t sent_ = 0;
};

// Says when a worker that keeps something looks again. A look costs as much as a hundred forks, so not each fork looks.
class looking {
public:
    using clock = std::chrono::steady_clock;

    // Is this one of the looks that are left out?
    [[nodiscard]] bool looks_away() noexcept {
        if (left_ == 0) return false;
        --left_;
        return true;
    }
    // The worker looks now. It may keep one thing after the other meanwhile.
    void begins() noexcept {
        is_set_ = false;
        due_ = {};
    }
    // The next look is due after about `pause`, by the time that each of the last forks took. `carefully`: the next ones may
    // take longer, as where a recursion has come to its leaves. So the looks become rare only by and by.
    void again_after(std::chrono::nanoseconds pause, clock::time_point now, bool carefully = false) noexcept {
        due_ = now + pause;
        if (std::exchange(is_set_, true)) return;
        const auto last = std::exchange(last_, now);
        if (is_cut_short_) {  // nobody knows how many looks were left out
            is_cut_short_ = false;
            all_ = left_ = 0;
            return;
        }
        const auto each = std::max<std::chrono::nanoseconds::rep>((now - last).count() / (all_ - left_ + 1), 1);
        const auto at_most = carefully ? std::min(2 * all_ + 1, most) : most;
        all_ = left_ = static_cast<unsigned>(std::min<std::chrono::nanoseconds::rep>(pause.count() / each, at_most));
    }
    // When the next look is due, for a worker that knows the time without forks. It is in the past if nothing was kept.
    [[nodiscard]] clock::time_point due() const noexcept { return due_; }
    // The next look is not left out.
    void at_once() noexcept {
        due_ = {};
        all_ -= std::exchange(left_, 0);
    }
    // As at_once(), for a handler. It may interrupt each other function of this class anywhere. So it must not write what
    // they compute with: `left_` would become larger than `all_`.
    void at_once_when_interrupted() noexcept {
        left_ = 0;
        is_cut_short_ = true;
    }

private:
    static constexpr unsigned most = 1000;

    unsigned left_ = 0, all_ = 0;
    bool is_set_ = false;        // by this look
    bool is_cut_short_ = false;  // by the handler
    clock::time_point last_{}, due_{};
};

// A burst is the work that a worker makes tasks of, from its first task on. This knows how long the burst has lasted.
// It also knows how long earlier bursts of that code lasted: a program that forks something long there will do so
// again.
class burst {
public:
    using clock = std::chrono::steady_clock;
    using duration = std::chrono::nanoseconds;

    // Is the burst over when a task is forked in a frame at this address? Stacks grow down. The burst is over, if
    // nothing is left of it, when the frame is that of its first task or one further up.
    [[nodiscard]] bool is_over_at(std::uintptr_t frame) const noexcept { return frame >= frame_; }
    // Is the burst over when a task is spawned in this scope? Each scope has a number of its own.
    [[nodiscard]] bool is_over_in(std::uint64_t scope) const noexcept { return scope != scope_; }

    // `code`: the function that runs the task. `scope`: 0 for a fork. `was_alone`: nothing of the last burst was given away.
    void begin(std::uintptr_t frame, std::uint64_t scope, std::uintptr_t code, clock::time_point now, const weighing& costs,
               in_a_row& row, bool was_alone) noexcept {
        const duration is_long = costs.worth_waking();
        const duration since_the_last = now - began_;
        if (since_the_last < is_long && remembered_[code_] >= costs.worth_feeding()) row.adds(began_, now, is_long);
        // If its end was not seen, nobody knows after a single look how long the burst lasted. It did not last longer than
        // until the next one.
        if (ended_ > began_) remember(ended_ - began_, is_long);
        else if (since_the_last < is_long && looks_ > 1 && was_alone)
            remember(std::min(since_the_last, 2 * (seen_ - began_)), is_long);
        else if (since_the_last < is_long) remember(since_the_last, is_long);
        else if (looks_ > 1) remember(seen_ - began_, is_long);
        frame_ = frame;
        scope_ = scope;
        awaited_ = 0;
        code_ = index_of(code);
        began_ = seen_ = now;
        looks_ = 0;
    }
    // How long the burst will last at least. If that is long, the answer is "for ever".
    [[nodiscard]] duration lasts(clock::time_point now, duration is_long) noexcept {
        // Soon after, it is asked again about what it has just said.
        if (looks_ == 0 || now - seen_ >= between_looks) ++looks_;
        seen_ = now;
        const duration so_far = now - began_;
        if (so_far >= is_long) remember(so_far, is_long);
        const duration known = std::max(so_far, remembered_[code_]);
        return known >= is_long ? duration::max() : known;
    }
    // That scope is awaited. What is spawned into it later is another burst. False: this burst is not of that scope.
    bool is_awaited(std::uint64_t scope) noexcept {
        if (scope_ != scope) return false;
        awaited_ = std::exchange(scope_, 0);
        return true;
    }
    // Is it the burst of that scope that was awaited last? Then no task in there has begun another one.
    [[nodiscard]] bool was_awaited_in(std::uint64_t scope) const noexcept { return awaited_ == scope; }
    // The wait is over, and all was done here. What follows is a pause.
    void ends(clock::time_point now) noexcept {
        ended_ = now;
        awaited_ = 0;
    }
    // Another thread has found, after a while, that the burst still lasts.
    void has_lasted(duration is_long) noexcept { remember(most * is_long, is_long); }

    [[nodiscard]] duration not_seen_for(clock::time_point now) const noexcept { return now - seen_; }
    // Leaves out the time since the last look, in which nothing was done.
    void leave_out(clock::time_point now) noexcept { began_ += now - std::exchange(seen_, now); }

private:
    // A long burst is remembered as so many times `is_long` at most, so that some short ones make it forgotten.
    static constexpr int most = 4;
    static constexpr std::size_t places = 64;
    static constexpr duration between_looks = std::chrono::nanoseconds(100);

    static std::size_t index_of(std::uintptr_t code) noexcept { return (code >> 4 ^ code >> 12) % places; }
    void remember(duration lasted, duration is_long) noexcept {
        duration& before = remembered_[code_];
        before = lasted >= before ? std::min(lasted, most * is_long) : before - (before - lasted) / 2;
    }

    std::uintptr_t frame_ = 0;
    std::uint64_t scope_ = 0;
    std::uint64_t awaited_ = 0;  // the scope of this burst, if that is awaited
    std::size_t code_ = 0;
    clock::time_point began_{}, seen_{};
    clock::time_point ended_{};  // before began_: that is not known
    std::uint32_t looks_ = 0;
    std::array<duration, places> remembered_{};
};

// Has a worker lost its core to another thread since it asked last?
class core_losses {
public:
    using clock = std::chrono::steady_clock;

    // `not_seen_for`: so long the worker has done what nobody has seen. `count`: how often it has lost its core so far. It
    // is called only if the answer may depend on it, because it may be a system call.
    // A worker that has not asked for long does not know when that happened. A gap that is longer than some time slices
    // is more than a lost core.
    template <class Count>
    [[nodiscard]] bool since_last_asked(clock::time_point now, clock::duration not_seen_for, const Count& count) noexcept {
        if (not_seen_for > longest) return false;
        const long times = count();
        const bool knows = now - std::exchange(asked_at_, now) < lately;
        return std::exchange(times_, times) != times && knows;
    }

private:
    static constexpr clock::duration lately = std::chrono::milliseconds(200), longest = std::chrono::milliseconds(10);

    long times_ = 0;
    clock::time_point asked_at_;
};

// What a worker knows of the work that it has, and of those who want it.
struct weighed {
    // Called before the tasks of that scope are run. Running them may take much longer than spawning them, so looks that
    // are due after so many spawns come too late.
    void is_awaited(std::uint64_t scope) noexcept {
        if (work.is_awaited(scope)) look.at_once();
    }
    // A look between two blocks of that loop ends now. If it has kept something, the next blocks may need no look.
    void has_looked_in(loop_times& loop, weighing::clock::time_point now) const noexcept {
        loop.need_not_look(std::max(look.due() - now, weighing::duration{}));
    }

    weighing weight;
    burst work;                     // that its latest tasks are of
    std::uint64_t sent_before = 0;  // the answers that it had given when that burst began
    in_a_row row;                   // of bursts and loops
    looking look;                   // after those who want what it keeps
    somebody_woken woken;
    nobody_runs nobody;
    bool waits = false;  // it gives what it has, whatever that weighs
};

}  // namespace parley::inline v0::threading
