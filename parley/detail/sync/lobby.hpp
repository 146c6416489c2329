// The lobby: a channel with many senders and many receivers, for requests that nobody could answer.
//
// Its messages are request numbers, and each is in it at most once, so it is a set of bits. Depositing a number twice
// is harmless, and the lobby cannot overflow (I6). Every operation is one atomic instruction on one word, so it is
// linearisable and wait-free.
//
// Its users need an order across two objects (I9):
// 1. A depositor does `deposit; look at (or raise) every attention word`.
// 2. A worker does `lower its lobby bit; look at the lobby`.
// 3. All four are seq_cst. In their single total order a worker that misses the deposit has lowered its bit before the
//    depositor looks, so the depositor raises it again.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/sync/atomic.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace parley::inline v0::sync {

class lobby {
public:
    // For numbers below `requests`. Numbers from `usual` on are rare: as long as none is deposited, their words are not
    // looked at.
    explicit lobby(std::uint32_t requests, std::uint32_t usual)
        : words_(words_for(usual)), lines_(new line[(words_for(requests) + words_of_line - 1) / words_of_line]()) {}
    explicit lobby(std::uint32_t requests) : lobby(requests, requests) {}

    // Any thread. True: the word was empty, so the depositor must raise the lobby bit of all seats after this returns.
    bool deposit(std::uint32_t request) noexcept {
        use(request / 64 + 1);
        return word(request / 64).fetch_or(mask(request), std::memory_order_seq_cst) == 0;
    }

    // Any thread. Takes out a number for which is_wanted(number) is true. The search begins at `start`. A receiver that
    // always starts where it stopped serves each number within one round.
    template <class Wanted>
    [[nodiscard]] std::optional<std::uint32_t> take(std::uint32_t start, const Wanted& is_wanted) noexcept {
        const std::uint32_t words = in_use();
        const std::uint32_t first = start / 64 % words;
        for (std::uint32_t i = 0; i <= words; ++i) {
            const std::uint32_t w = (first + i) % words;
            // The first word is looked at twice: from `start` up, and at the end from its bottom.
            const std::uint64_t searched = i == 0 ? ~std::uint64_t{0} << (start % 64) : ~std::uint64_t{0};
            if (const auto number = take_from(w, searched, is_wanted)) return number;
        }
        return std::nullopt;
    }
    [[nodiscard]] std::optional<std::uint32_t> take(std::uint32_t start) noexcept {
        return take(start, [](std::uint32_t) { return true; });
    }

    // Is there a number in it for which is_wanted(number) is true? Acquire: pairs with
    // the deposit, whose release sequence all later changes of the word continue.
    template <class Wanted>
    [[nodiscard]] bool any(const Wanted& is_wanted) const noexcept {
        const std::uint32_t words = in_use();
        for (std::uint32_t w = 0; w < words; ++w)
            for (std::uint64_t seen = word(w).load(std::memory_order_acquire); seen != 0; seen &= seen - 1)
                if (is_wanted(w * 64 + static_cast<std::uint32_t>(std::countr_zero(seen)))) return true;
        return false;
    }

    [[nodiscard]] bool empty() const noexcept {
        const std::uint32_t words = in_use();
        for (std::uint32_t w = 0; w < words; ++w)
            if (word(w).load(std::memory_order_seq_cst) != 0) return false;
        return true;
    }

    // For observers: is the number in it at this moment?
    [[nodiscard]] bool holds(std::uint32_t request) const noexcept {
        return (word(request / 64).load(std::memory_order_relaxed) & mask(request)) != 0;
    }

    // How many numbers are in it for which is_counted(number) is true, if nothing changes meanwhile.
    template <class Counted>
    [[nodiscard]] std::uint32_t count_if(const Counted& is_counted) const noexcept {
        std::uint32_t sum = 0;
        const std::uint32_t words = in_use();
        for (std::uint32_t w = 0; w < words; ++w)
            for (std::uint64_t seen = word(w).load(std::memory_order_relaxed); seen != 0; seen &= seen - 1)
                sum += is_counted(w * 64 + static_cast<std::uint32_t>(std::countr_zero(seen)));
        return sum;
    }

    // How many of the numbers from `first` to before `last` are in it, if nothing changes meanwhile. Those that are in
    // `except` do not count.
    [[nodiscard]] std::uint32_t count_between(std::uint32_t first, std::uint32_t last,
                                              const lobby* except = nullptr) const noexcept {
        std::uint32_t sum = 0;
        for (std::uint32_t w = first / 64; w * 64 < last; ++w)
            sum += static_cast<std::uint32_t>(std::popcount(bits_between(w, first, last, except)));
        return sum;
    }
    // Returns the one of them before which so many others lie. There may be none any more.
    [[nodiscard]] std::optional<std::uint32_t> find_between(std::uint32_t first, std::uint32_t last, std::uint32_t before,
                                                            const lobby* except = nullptr) const noexcept {
        for (std::uint32_t w = first / 64; w * 64 < last; ++w) {
            std::uint64_t seen = bits_between(w, first, last, except);
            const auto here = static_cast<std::uint32_t>(std::popcount(seen));
            if (before >= here) {
                before -= here;
                continue;
            }
            for (; before > 0; --before) seen &= seen - 1;
            return w * 64 + static_cast<std::uint32_t>(std::countr_zero(seen));
        }
        return std::nullopt;
    }
    // Any thread. Takes this number out. False: it was not in it.
    [[nodiscard]] bool take_out(std::uint32_t number) noexcept {
        return (word(number / 64).fetch_and(~mask(number), std::memory_order_seq_cst) & mask(number)) != 0;
    }

private:
    // Those of a word that stand for numbers from `first` to before `last`. Words that are not in use are empty.
    [[nodiscard]] std::uint64_t bits_between(std::uint32_t w, std::uint32_t first, std::uint32_t last,
                                             const lobby* except) const noexcept {
        std::uint64_t seen = word(w).load(std::memory_order_relaxed);
        if (except != nullptr) seen &= ~except->word(w).load(std::memory_order_relaxed);
        if (w == first / 64) seen &= ~std::uint64_t{0} << (first % 64);
        if (w == last / 64) seen &= mask(last) - 1;
        return seen;
    }
    // So two lobbies share no cache line.
    static constexpr std::uint32_t words_of_line = base::cache_line / sizeof(std::uint64_t);
    struct alignas(base::cache_line) line {
        std::array<atomic<std::uint64_t>, words_of_line> words;
    };
    [[nodiscard]] atomic<std::uint64_t>& word(std::uint32_t w) const noexcept {
        return lines_[w / words_of_line].words[w % words_of_line];
    }
    static constexpr std::uint32_t words_for(std::uint32_t requests) noexcept { return (requests + 63) / 64; }

    // seq_cst: a thread that sees the following deposit sees this before it in the single total order.
    [[nodiscard]] std::uint32_t in_use() const noexcept { return words_.load(std::memory_order_seq_cst); }
    void use(std::uint32_t words) noexcept {
        std::uint32_t seen = words_.load(std::memory_order_relaxed);
        while (seen < words && !words_.compare_exchange_weak(seen, words, std::memory_order_seq_cst)) {}
    }

    static std::uint64_t mask(std::uint32_t request) noexcept { return std::uint64_t{1} << (request % 64); }

    template <class Wanted>
    std::optional<std::uint32_t> take_from(std::uint32_t w, std::uint64_t searched, const Wanted& is_wanted) noexcept {
        std::uint64_t left = word(w).load(std::memory_order_seq_cst) & searched;
        while (left != 0) {
            const std::uint32_t number = w * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
            left &= left - 1;
            if (!is_wanted(number)) continue;
            // The thread that clears the bit has taken the number. The others try the next one.
            const std::uint64_t old = word(w).fetch_and(~mask(number), std::memory_order_seq_cst);
            if ((old & mask(number)) != 0) return number;
            left &= old;
        }
        return std::nullopt;
    }

    atomic<std::uint32_t> words_;  // only grows
    std::unique_ptr<line[]> lines_;
};

}  // namespace parley::inline v0::sync
