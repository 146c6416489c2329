// What it costs to share work, how long loops last, and which part of one a worker keeps for itself.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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

    // One that has looked for work within this time is taken to come soon, if nearly all others have come.
    static constexpr duration comes_soon = std::chrono::milliseconds(1);

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
        if (length.each() != 0) {
            each_ = length.each();
            has_told_ = true;
        }
        so_far_ = length.so_far();
        if (block_ != length.block()) looks_away_for_ = 0;
        block_ = length.block();
    }

    // Another worker has found, or this one did the last time, that an iteration takes so many nanoseconds. 0: nobody knows.
    void takes_over(float each) noexcept { each_ = each; }
    [[nodiscard]] float each() const noexcept { return each_; }
    // Only what blocks have told here. 0: nothing.
    [[nodiscard]] float each_here() const noexcept { return has_told_ ? each_ : 0; }
    // Others have had parts of the loop, which has ended now. Iterations elsewhere may be longer than those here. Alone it
    // would have lasted twice as long at least, if sharing it has paid. Half as long is said: what was shared in vain must
    // not seem long enough to be shared again.
    [[nodiscard]] float each_of_all(std::uint64_t iterations, time_point now) const noexcept {
        return std::max(each_here(), static_cast<float>((now - began_).count()) / (2 * static_cast<float>(iterations)));
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
    bool has_told_ = false;
    bool was_given_ = false;
    time_point given_at_{};  // when a part was first given while it was known how long the rest lasts
    duration alone_{};       // how long the rest would have lasted then
};

// The part of a short loop that a worker keeps for itself, because there was nobody else to serve (protocol/spreading.hpp).
// Until half of it is done the worker does not look for others. Those who ask before that are ahead of it, and are few.
//
// Nothing is kept if nobody knows how long the part lasts, or if that is long. I9: the share ends when blocks tell that the
// part is long after all, and at the latest after weighing::may_be_kept. A signal gives what is kept as well.
class own_share {
public:
    using time_point = loop_times::time_point;

    // So many iterations have not begun.
    void begins(std::uint64_t left, const loop_times& times, time_point now) noexcept {
        until_ = is_short(left, times) ? left / 2 : all;
        ends_ = now + weighing::may_be_kept;
    }
    // Blocks have been timed.
    void learns(std::uint64_t left, const loop_times& times, time_point now) noexcept {
        if (until_ != all && (now >= ends_ || !is_short(left, times))) until_ = all;
    }
    [[nodiscard]] bool lasts(std::uint64_t left) const noexcept { return left > until_; }
    [[nodiscard]] bool lasts(std::uint64_t left, time_point now) const noexcept { return lasts(left) && now < ends_; }

private:
    static constexpr std::uint64_t all = ~std::uint64_t{0};
    // In longer parts a few looks do not count.
    static constexpr weighing::duration longest = std::chrono::microseconds(400);

    static bool is_short(std::uint64_t left, const loop_times& times) noexcept {
        return times.each() > 0 && times.last_at_least(left) < longest;
    }

    std::uint64_t until_ = all;  // so many are left
    time_point ends_{};
};

// How long iterations of recent loops took. A program often runs a loop again, with the same body and as many iterations.
// Then its worker knows before the first block how long it will last, and shares it at once or not at all.
class remembered_loops {
public:
    // Loops with the same code and as many iterations count as the same loop.
    struct name {
        const void* code = nullptr;  // what runs the loop's parts: one for each call in the program
        std::uint64_t count = 0;
    };

    // Nanoseconds per iteration, the last time. 0: not known.
    [[nodiscard]] float each(const name& n) const noexcept {
        const entry& e = of_[place(n)];
        return is(e, n) ? e.each : 0;
    }
    // What the loop has told this time counts, and nothing older. If it was too short to tell anything, or was stopped, it
    // is forgotten. So a loop that took long once, because its code or data had to come first, is shared in vain once. A
    // loop takes the place of another one that has the same place.
    void notes(const name& n, float each) noexcept {
        entry& e = of_[place(n)];
        if (each > 0) e = {n, each};
        else if (is(e, n)) e = {};
    }

private:
    static constexpr std::size_t places = 32;
    static_assert(std::has_single_bit(places));
    struct entry {
        name loop;
        float each = 0;
    };

    static bool is(const entry& e, const name& n) noexcept { return e.loop.code == n.code && e.loop.count == n.count; }

    // Multiplication by a large odd number spreads the low bits to the high ones (Knuth, TAOCP 3, section 6.4).
    static std::size_t place(const name& n) noexcept {
        const std::uint64_t both = reinterpret_cast<std::uintptr_t>(n.code) ^ n.count << 32 ^ n.count;
        return static_cast<std::size_t>(both * 0x9E37'79B9'7F4A'7C15U >> (64 - std::countr_zero(places)));
    }

    std::array<entry, places> of_{};
};

}  // namespace parley::inline v0::threading
