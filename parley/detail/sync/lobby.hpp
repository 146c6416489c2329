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

#include <parley/detail/sync/atomic.hpp>

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
        : words_(words_for(usual)), bits_(new atomic<std::uint64_t>[words_for(requests)]()) {}
    explicit lobby(std::uint32_t requests) : lobby(requests, requests) {}

    // Any thread. True: the word was empty, so the depositor must raise the lobby bit of all seats after this returns.
    bool deposit(std::uint32_t request) noexcept {
        use(request / 64 + 1);
        return bits_[request / 64].fetch_or(mask(request), std::memory_order_seq_cst) == 0;
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
            for (std::uint64_t seen = bits_[w].load(std::memory_order_acquire); seen != 0; seen &= seen - 1)
                if (is_wanted(w * 64 + static_cast<std::uint32_t>(std::countr_zero(seen)))) return true;
        return false;
    }

    [[nodiscard]] bool empty() const noexcept {
        const std::uint32_t words = in_use();
        for (std::uint32_t w = 0; w < words; ++w)
            if (bits_[w].load(std::memory_order_seq_cst) != 0) return false;
        return true;
    }

    // For observers: is the number in it at this moment?
    [[nodiscard]] bool holds(std::uint32_t request) const noexcept {
        return (bits_[request / 64].load(std::memory_order_relaxed) & mask(request)) != 0;
    }

    // How many numbers are in it for which is_counted(number) is true, if nothing changes meanwhile.
    template <class Counted>
    [[nodiscard]] std::uint32_t count_if(const Counted& is_counted) const noexcept {
        std::uint32_t sum = 0;
        const std::uint32_t words = in_use();
        for (std::uint32_t w = 0; w < words; ++w)
            for (std::uint64_t seen = bits_[w].load(std::memory_order_relaxed); seen != 0; seen &= seen - 1)
                sum += is_counted(w * 64 + static_cast<std::uint32_t>(std::countr_zero(seen)));
        return sum;
    }

private:
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
        std::uint64_t left = bits_[w].load(std::memory_order_seq_cst) & searched;
        while (left != 0) {
            const std::uint32_t number = w * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
            left &= left - 1;
            if (!is_wanted(number)) continue;
            // The thread that clears the bit has taken the number. The others try the next one.
            const std::uint64_t old = bits_[w].fetch_and(~mask(number), std::memory_order_seq_cst);
            if ((old & mask(number)) != 0) return number;
            left &= old;
        }
        return std::nullopt;
    }

    atomic<std::uint32_t> words_;  // only grows
    std::unique_ptr<atomic<std::uint64_t>[]> bits_;
};

}  // namespace parley::inline v0::sync
