// The last entries of two words that one party wrote, for whoever looks, at any time: nobody waits, and an entry that
// is overwritten while it is read is not shown.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace parley::inline v0::sync {

class recent {
public:
    struct entry {
        std::uint64_t first, second;
    };

    // `capacity` is rounded up to a power of two. Throws std::bad_alloc.
    explicit recent(std::size_t capacity)
        : mask_(std::bit_ceil(capacity) - 1), places_(std::make_unique<place[]>(mask_ + 1)) {}

    // The writer. The words' releases come after the count of the entries before: who sees a word of entry n sees
    // that n entries were written, and so that entry n - capacity is going.
    void write(std::uint64_t first, std::uint64_t second) noexcept {
        const std::uint64_t n = written_.load(std::memory_order_relaxed);
        place& to = places_[n & mask_];
        to.first.store(first, std::memory_order_release);
        to.second.store(second, std::memory_order_release);
        written_.store(n + 1, std::memory_order_release);
    }

    // Anybody. Entries are numbered from 0 in the order in which they were written.
    [[nodiscard]] std::uint64_t written() const noexcept { return written_.load(std::memory_order_acquire); }
    [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }
    // Nothing if it is not written yet, or overwritten, or about to be.
    [[nodiscard]] std::optional<entry> at(std::uint64_t number) const noexcept {
        if (number >= written()) return std::nullopt;
        const place& from = places_[number & mask_];
        const entry copy{from.first.load(std::memory_order_acquire), from.second.load(std::memory_order_acquire)};
        // Not earlier than the loads above, which acquire.
        if (written_.load(std::memory_order_relaxed) > number + mask_) return std::nullopt;
        return copy;
    }

private:
    struct place {
        std::atomic<std::uint64_t> first{0}, second{0};
    };
    std::atomic<std::uint64_t> written_{0};
    const std::size_t mask_;
    const std::unique_ptr<place[]> places_;
};

}  // namespace parley::inline v0::sync
