// How long a process, or a tree of them, has run. Looking at many threads takes a while, and so does binding them: no
// more than one part in fifty of the time goes into both, and between two looks they run as they did before the last
// one.
#pragma once

#include <broker/daemon/look_budget.hpp>
#include <broker/daemon/process.hpp>

#include <algorithm>
#include <optional>

namespace parley::inline v0::broker::service {

class tree_clock {
public:
    explicit tree_clock(run_time_source source) noexcept : source_(source) {}

    struct reading {
        std::optional<nanoseconds> ran;
        bool is_seen = true;  // else guessed
        nanoseconds sum =
            0;  // as seen, without who leads the tree: less than before where somebody was not counted any more
    };
    [[nodiscard]] reading read(pid_t root, int pidfd, nanoseconds at) noexcept {
        if (!is_due(at)) return guess(at);
        std::optional<nanoseconds> ran;
        spend(at, [&] { ran = look(root, pidfd); });
        return note(ran, at);
    }

    [[nodiscard]] bool is_due(nanoseconds at) const noexcept { return at >= next_; }
    // Does what takes time of its own, too.
    template <class Act>
    void spend(nanoseconds at, Act act) noexcept {
        const nanoseconds begin = thread_time();
        act();
        charge(at, thread_time() - begin);
    }

    // read() in its parts, for who is not to keep others waiting in between.
    [[nodiscard]] std::optional<nanoseconds> look(pid_t root, int pidfd) const noexcept { return source_(root, pidfd); }
    void charge(nanoseconds at, nanoseconds cost) noexcept { next_ = at + part_ * cost; }
    // `leader`: what of that is who leads the tree.
    reading note(std::optional<nanoseconds> ran, nanoseconds at, nanoseconds leader = 0) noexcept {
        if (!ran) return {};
        // Who ends while it is looked at is missing once.
        const nanoseconds all = std::max(*ran, ran_.value_or(0));
        if (ran_ && at > at_) speed_ = static_cast<double>(all - *ran_) / static_cast<double>(at - at_);
        ran_ = all;
        at_ = at;
        sum_ = *ran - std::min(leader, *ran);
        return {all, true, sum_};
    }
    [[nodiscard]] reading guess(nanoseconds at) const noexcept {
        if (!ran_) return {std::nullopt, false};
        const nanoseconds since = at - std::min(at_, at);
        return {*ran_ + static_cast<nanoseconds>(speed_ * static_cast<double>(since)), false};
    }
    // The last look, if it is not older than that.
    [[nodiscard]] std::optional<reading> last(nanoseconds at, nanoseconds age) const noexcept {
        return ran_ && at < at_ + age ? std::optional(reading{ran_, true, sum_}) : std::nullopt;
    }

private:
    static constexpr nanoseconds part_ = 50;
    run_time_source source_;
    std::optional<nanoseconds> ran_;
    nanoseconds at_ = 0, next_ = 0, sum_ = 0;
    double speed_ = 0;
};

}  // namespace parley::inline v0::broker::service
