// The lobby: a channel with many senders and many receivers for requests that failed everywhere.
//
// Its messages are request numbers, each at most once in it, so it is a set of bits: depositing a
// number twice is harmless, its capacity (the number of requests) can not be exceeded, and every
// operation is one atomic instruction on one word, hence linearisable and wait-free.
//
// The order across two objects that its users need: a depositor does `deposit; look at (or raise)
// every attention word`, a worker does `lower its lobby bit; look at the lobby`. All four are
// seq_cst, so in their single total order the worker that misses the deposit has lowered its bit
// before the depositor looks, and is rung.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace parley::inline v0::sync {

class lobby {
public:
    // For numbers below `requests`; as long as none is deposited from `usual` on, only the words of those are looked at.
    explicit lobby(std::uint32_t requests, std::uint32_t usual)
        : words_(words_for(usual)), bits_(new std::atomic<std::uint64_t>[words_for(requests)]()) {}
    explicit lobby(std::uint32_t requests) : lobby(requests, requests) {}

    // Any thread. True: the word was empty, so the depositor must ring, after this returns.
    bool deposit(std::uint32_t request) noexcept {
        use(request / 64 + 1);
        return bits_[request / 64].fetch_or(mask(request), std::memory_order_seq_cst) == 0;
    }

    // Any thread: takes some number out, searching from `start` on, so that every receiver that
    // starts where it stopped serves each number within one round.
    [[nodiscard]] std::optional<std::uint32_t> take(std::uint32_t start) noexcept {
        const std::uint32_t words = in_use();
        const std::uint32_t first = start / 64 % words;
        for (std::uint32_t i = 0; i <= words; ++i) {
            const std::uint32_t w = (first + i) % words;
            // The first word is looked at twice: from `start` up, and at the end from its bottom.
            const std::uint64_t wanted = i == 0 ? ~std::uint64_t{0} << (start % 64) : ~std::uint64_t{0};
            if (const auto bit = take_from(bits_[w], wanted)) return w * 64 + *bit;
        }
        return std::nullopt;
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

    // About how many are in it.
    [[nodiscard]] std::uint32_t count() const noexcept {
        int sum = 0;
        for (std::uint32_t w = 0; w < in_use(); ++w) sum += std::popcount(bits_[w].load(std::memory_order_relaxed));
        return static_cast<std::uint32_t>(sum);
    }

private:
    static constexpr std::uint32_t words_for(std::uint32_t requests) noexcept { return (requests + 63) / 64; }

    // seq_cst, as the deposit that follows: who sees that has this before it in the single total order.
    [[nodiscard]] std::uint32_t in_use() const noexcept { return words_.load(std::memory_order_seq_cst); }
    void use(std::uint32_t words) noexcept {
        std::uint32_t seen = words_.load(std::memory_order_relaxed);
        while (seen < words && !words_.compare_exchange_weak(seen, words, std::memory_order_seq_cst)) {}
    }

    static std::uint64_t mask(std::uint32_t request) noexcept { return std::uint64_t{1} << (request % 64); }

    static std::optional<std::uint32_t> take_from(std::atomic<std::uint64_t>& word, std::uint64_t wanted) noexcept {
        std::uint64_t seen = word.load(std::memory_order_seq_cst) & wanted;
        while (seen != 0) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(seen));
            const std::uint64_t one = std::uint64_t{1} << bit;
            // Whoever clears the bit has taken the number; the others try the next one.
            const std::uint64_t old = word.fetch_and(~one, std::memory_order_seq_cst);
            if ((old & one) != 0) return bit;
            seen = old & wanted;
        }
        return std::nullopt;
    }

    std::atomic<std::uint32_t> words_;  // only grows
    std::unique_ptr<std::atomic<std::uint64_t>[]> bits_;
};

}  // namespace parley::inline v0::sync
