// Is what a worker has worth giving yet?
//
// 1. Work that is over before its thief has begun it costs both of them time, and waking a thief costs a system call.
// 2. So what is left must last longer than the thief takes to come. It must also last longer than twice what the victim
//    pays, since the thief does half of it. What a wake-up costs is learned while the program runs.
// 3. For loops it is known how long the rest lasts, because their blocks are timed.
// 4. Of tasks nobody knows that. They are taken to last as long again as they have lasted. So a worker that waits for that
//    loses at most half of what it could have won (the ski rental problem).
#pragma once

#include <parley/detail/protocol/request.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace parley::inline v0::threading {

class weighing {
public:
    using clock = std::chrono::steady_clock;
    using duration = std::chrono::nanoseconds;

    [[nodiscard]] static std::int64_t in_ns(clock::time_point t) noexcept {
        return std::chrono::duration_cast<duration>(t.time_since_epoch()).count();
    }

    // A thief that spins looks at the clock every microsecond or two. One that has not done so for longer has lost its
    // core, and nobody knows for how long.
    static constexpr duration runs_still = std::chrono::microseconds(5);

    // A worker that keeps what it has for less than this is not interrupted.
    static constexpr duration may_be_kept = std::chrono::microseconds(100);

    // What is left must last so long to be given to a thief that runs. The victim pays for the answer. Receiving it and
    // bringing the result home cost the thief about as much each, and the thief does half of what is left. Nobody learns
    // what came of giving tasks. So they are never taken to cost less than at first.
    [[nodiscard]] duration worth_feeding() const noexcept { return 4 * std::max(answer_, usual_answer); }
    // The rest of a loop must last so long. Loops show what sharing them costs altogether, and the rest must last twice as
    // long as that, too.
    [[nodiscard]] duration worth_splitting() const noexcept { return std::max(4 * answer_, 2 * sharing_); }

    // The worker is about to answer. `sent`: the answers that it has given so far.
    void answers(clock::time_point now, std::uint64_t sent) noexcept {
        answering_ = true;
        answering_since_ = now;
        sent_ = sent;
    }
    [[nodiscard]] bool is_answering() const noexcept { return answering_; }
    // It has given one since then, or has found nobody to answer: from that nothing is learned.
    void has_answered(clock::time_point now, std::uint64_t sent) noexcept {
        if (std::exchange(answering_, false) && sent == sent_ + 1)
            answer_ = towards(answer_, now - answering_since_, cheapest_answer, dearest_answer);
    }

    // A loop that would have lasted `alone` from then on has lasted `took` since the first part of it was given. If
    // sharing cost nothing, two workers would have taken half of `alone`. A much longer loop tells nothing. Its parts
    // differ by a few percent of it, and that is as long as what sharing costs.
    void has_shared(duration alone, duration took) noexcept {
        if (alone > 4 * worth_splitting()) return;
        sharing_ = towards(sharing_, std::max(took - alone / 2, duration{}), cheapest_answer, dearest_sharing);
    }
    // A loop that lasted so long was kept, though somebody wanted a part of it. Only sharing tells what it costs. So the
    // costs that are assumed shrink a little, and at some time a loop like this is shared again.
    void has_kept(duration lasted) noexcept {
        static constexpr int loops_to_forget = 128;
        if (lasted >= 2 * worth_splitting()) return;  // then it was kept because nobody ran
        const auto forget = [](duration& cost) { cost = std::max(cost - cost / loops_to_forget, cheapest_answer); };
        if (lasted >= sharing_) forget(sharing_);
        if (lasted >= 3 * answer_) forget(answer_);
    }

    // What is left must last so long for somebody to be woken.
    [[nodiscard]] duration worth_waking() const noexcept { return comes_after_ + 2 * wake_; }

    // Waking somebody took so long. A single long time counts little, because this thread may have lost its processor.
    void has_woken(duration so_long) noexcept { wake_ = towards(wake_, so_long, cheapest_wake, dearest_wake); }
    // A woken worker was seen to run after so long.
    void has_come(duration after) noexcept { comes_after_ = towards(comes_after_, after, cheapest_wake, longest_way); }

private:
    static constexpr duration cheapest_wake = std::chrono::microseconds(1), dearest_wake = std::chrono::microseconds(50);
    static constexpr duration cheapest_answer = std::chrono::nanoseconds(500),
                              dearest_answer = std::chrono::microseconds(25);
    static constexpr duration usual_answer = std::chrono::nanoseconds(1500);
    static constexpr duration dearest_sharing = std::chrono::microseconds(25);
    static constexpr duration longest_way = std::chrono::microseconds(150);

    // Goes a quarter of the way from `old` to `seen`.
    static constexpr duration towards(duration old, duration seen, duration least, duration most) noexcept {
        return std::clamp(old + (std::min(seen, 2 * old) - old) / 4, least, most);
    }

    duration wake_ = std::chrono::microseconds(10);
    duration comes_after_ = std::chrono::microseconds(30);
    duration answer_ = usual_answer;
    duration sharing_ = usual_answer;
    bool answering_ = false;
    clock::time_point answering_since_{};
    std::uint64_t sent_ = 0;
};

// Pieces of work that follow each other closely may together be worth a wake-up that none of them is worth alone. The woken
// worker stays awake for the next ones.
class in_a_row {
public:
    using time_point = weighing::clock::time_point;
    using duration = weighing::duration;

    // A piece that was worth feeding to a thief that runs has lasted from `began` to `ended`. Pieces that lie in it have
    // been added before.
    void adds(time_point began, time_point ended, duration is_long) noexcept {
        if (!follows(began, is_long)) lasted_ = duration{};
        lasted_ += std::max(ended - std::max(began, ended_), duration{});
        ended_ = std::max(ended, ended_);
    }
    // Asked in the next piece of work. So somebody is woken after at least the time that `most` wake-ups cost.
    [[nodiscard]] bool is_worth_waking(time_point now, duration is_long) const noexcept {
        return lasted_ >= most * is_long && follows(now, is_long);
    }
    void has_woken() noexcept { lasted_ = {}; }

private:
    static constexpr int most = 4;
    [[nodiscard]] bool follows(time_point later, duration is_long) const noexcept { return later - ended_ < is_long; }

    duration lasted_{};  // all pieces together
    time_point ended_{};
};

// Knows how long a running part of a loop has lasted, and how long the rest of it will last.
class loop_times {
public:
    using time_point = weighing::clock::time_point;
    using duration = weighing::duration;

    // The first block begins at `now`, which is returned.
    time_point begin(time_point now) noexcept { return began_ = now; }
    // Called after each block, which `length` has timed (block_length.hpp), and when something was left out.
    template <class BlockLength>
    void notes(const BlockLength& length) noexcept {
        began_ = length.first();
        each_ = length.each();
        so_far_ = length.so_far();
        if (block_ != length.block()) looks_away_for_ = 0;
        block_ = length.block();
    }

    // The worker need not look up now. If blocks are short, it need not after the next ones either, for so long. The latest
    // blocks tell how many these are. They are a few at most, since what follows may take longer.
    void need_not_look(duration so_long = std::chrono::nanoseconds(500)) noexcept {
        constexpr duration::rep a_few = 16;
        if (block_ > duration{})
            looks_away_for_ = static_cast<unsigned>(std::clamp(so_long / block_, duration::rep{}, a_few));
    }
    // Is this one of those blocks?
    [[nodiscard]] bool looks_away() noexcept {
        if (looks_away_for_ == 0) return false;
        --looks_away_for_;
        return true;
    }

    // Returns how long `left` iterations that have not begun will last. If no block was timed yet, the loop is taken to
    // last as long again as it has lasted.
    [[nodiscard]] duration last(std::uint64_t left, time_point now) const noexcept {
        return each_ == 0 ? now - began_ : all_of(left);
    }
    // A part is given while `left` iterations have not begun.
    void gives(std::uint64_t left, time_point now) noexcept {
        was_given_ = true;
        if (each_ == 0 || knows_alone()) return;
        given_at_ = now;
        alone_ = all_of(left);
    }
    [[nodiscard]] bool was_given() const noexcept { return was_given_; }
    // All its parts have ended now.
    void was_shared(weighing& weight, time_point now) const noexcept {
        if (knows_alone()) weight.has_shared(alone_, now - given_at_);
    }
    // It has ended now, and a part of it was wanted. The last blocks may not have been timed. Of a loop that was stopped
    // nobody knows when it began.
    void was_kept(weighing& weight, in_a_row& row, time_point now) const noexcept {
        if (began_ == time_point{}) return;
        const duration lasted = now - began_;
        weight.has_kept(lasted);
        if (lasted >= weight.worth_splitting()) row.adds(began_, now, weight.worth_waking());
    }

    // Among how many thieves can that be divided? The one that has asked gets a part, and others do if it is long enough.
    [[nodiscard]] std::uint32_t most_askers(std::uint64_t left, const weighing& weight) const noexcept {
        constexpr duration::rep all = 1'000'000;
        if (each_ == 0) return all;
        return static_cast<std::uint32_t>(std::clamp<duration::rep>(all_of(left) / weight.worth_splitting(), 1, all));
    }

    // Returns that by the blocks that were timed, without a look at the clock.
    [[nodiscard]] duration last_at_least(std::uint64_t left) const noexcept { return each_ == 0 ? so_far_ : all_of(left); }

private:
    [[nodiscard]] bool knows_alone() const noexcept { return given_at_ != time_point{}; }
    [[nodiscard]] duration all_of(std::uint64_t left) const noexcept {
        const double all = static_cast<double>(left) * static_cast<double>(each_);
        return duration(static_cast<std::int64_t>(std::min(all, 1e18)));
    }

    time_point began_{};
    duration so_far_{};  // at the end of the last block that was timed
    float each_ = 0;     // nanoseconds per iteration; 0: not known yet
    duration block_{};   // 0: not known yet
    unsigned looks_away_for_ = 0;
    bool was_given_ = false;
    time_point given_at_{};  // when a part was first given while it was known how long the rest lasts
    duration alone_{};       // how long the rest would have lasted then
};

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
    // The next look is due after about `pause`, by the time that each of the last forks took.
    void again_after(std::chrono::nanoseconds pause, clock::time_point now) noexcept {
        due_ = now + pause;
        if (std::exchange(is_set_, true)) return;
        const auto last = std::exchange(last_, now);
        if (is_cut_short_) {  // nobody knows how many looks were left out
            is_cut_short_ = false;
            all_ = left_ = 0;
            return;
        }
        const auto each = std::max<std::chrono::nanoseconds::rep>((now - last).count() / (all_ - left_ + 1), 1);
        all_ = left_ = static_cast<unsigned>(std::min<std::chrono::nanoseconds::rep>(pause.count() / each, most));
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

    // `code`: the function that runs the task. `scope`: 0 for a fork.
    void begin(std::uintptr_t frame, std::uint64_t scope, std::uintptr_t code, clock::time_point now, const weighing& costs,
               in_a_row& row) noexcept {
        const duration is_long = costs.worth_waking();
        const duration since_the_last = now - began_;
        if (since_the_last < is_long && remembered_[code_] >= costs.worth_feeding()) row.adds(began_, now, is_long);
        // After a single look nobody knows how long the burst lasted, unless the next burst follows closely.
        if (since_the_last < is_long) remember(since_the_last, is_long);
        else if (looks_ > 1) remember(seen_ - began_, is_long);
        frame_ = frame;
        scope_ = scope;
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
        scope_ = 0;
        return true;
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
    static constexpr duration between_looks = std::chrono::nanoseconds(400);

    static std::size_t index_of(std::uintptr_t code) noexcept { return (code >> 4 ^ code >> 12) % places; }
    void remember(duration lasted, duration is_long) noexcept {
        duration& before = remembered_[code_];
        before = lasted >= before ? std::min(lasted, most * is_long) : before - (before - lasted) / 2;
    }

    std::uintptr_t frame_ = 0;
    std::uint64_t scope_ = 0;
    std::size_t code_ = 0;
    clock::time_point began_{}, seen_{};
    std::uint32_t looks_ = 0;
    std::array<duration, places> remembered_{};
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
    burst work;    // that its latest tasks are of
    in_a_row row;  // of bursts and loops
    looking look;  // after those who want what it keeps
    somebody_woken woken;
    nobody_runs nobody;
    bool waits = false;  // it gives what it has, whatever that weighs
};

}  // namespace parley::inline v0::threading
