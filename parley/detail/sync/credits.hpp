// Credits limit how much may be under way at once. One thread takes them, many give them back.
//
// One word holds the credits that are there, whether the taker waits, and whether it takes no more. Every change is a
// read-modify-write of that word. So:
// 1. A taker that marks itself as waiting has seen all that was given before.
// 2. A thread that gives after that sees the mark.
// 3. Of the threads that give back after the end, exactly one finds that all are there.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class credits {
public:
    // The other bits of the word are marks.
    static constexpr std::uint64_t limit = (std::uint64_t{1} << 62) - 1;

    // `all` is at most `limit`.
    explicit credits(std::uint64_t all) noexcept : all_(all), word_(all) {}

    // For the taker only. Takes up to `most` if there are `least`. Otherwise takes 0 and marks the taker: the give()
    // after which there are `enough` says `resume`. It may say so earlier, because a giver that has seen one mark may
    // take off the next one. Then the taker may find fewer than `least`, and marks itself again.
    [[nodiscard]] std::uint64_t take(std::uint64_t least, std::uint64_t most, std::uint64_t enough) noexcept {
        std::uint64_t seen = word_.load(std::memory_order_relaxed);
        for (;;) {
            const std::uint64_t there = seen & amount;
            const std::uint64_t n = there < most ? there : most;
            if (there < least) {
                enough_.store(enough, std::memory_order_relaxed);  // published by the mark
                if (word_.compare_exchange_weak(seen, seen | waiting, std::memory_order_acq_rel, std::memory_order_relaxed))
                    return 0;
            } else if (word_.compare_exchange_weak(seen, (seen - n) & ~waiting, std::memory_order_acq_rel,
                                                   std::memory_order_relaxed)) {
                // Acquire: what the givers did, who have left the places that come with these credits.
                return n;
            }
        }
    }

    enum class given : std::uint8_t { nothing, resume, finished };

    // resume: the caller, and nobody else, must make the taker go on. finished: the taker takes no more, and these were
    // the last credits.
    [[nodiscard]] given give(std::uint64_t n) noexcept {
        const std::uint64_t now = word_.fetch_add(n, std::memory_order_acq_rel) + n;
        if ((now & ended) != 0) return (now & amount) == all_ ? given::finished : given::nothing;
        if ((now & waiting) == 0 || (now & amount) < enough_.load(std::memory_order_relaxed)) return given::nothing;
        const bool was_waiting = (word_.fetch_and(~waiting, std::memory_order_acq_rel) & waiting) != 0;
        return was_waiting ? given::resume : given::nothing;
    }

    // For the taker only, once: it takes no more. True: all credits are there.
    [[nodiscard]] bool end() noexcept { return (word_.fetch_or(ended, std::memory_order_acq_rel) & amount) == all_; }

    // For observers: how many are taken at this moment.
    [[nodiscard]] std::uint64_t taken() const noexcept { return all_ - (word_.load(std::memory_order_relaxed) & amount); }
    [[nodiscard]] std::uint64_t all() const noexcept { return all_; }

private:
    static constexpr std::uint64_t ended = std::uint64_t{1} << 63, waiting = std::uint64_t{1} << 62, amount = limit;
    const std::uint64_t all_;
    atomic<std::uint64_t> word_;
    atomic<std::uint64_t> enough_{0};
};

}  // namespace parley::inline v0::sync
