// The last entries, of two words each, that one thread wrote. Any thread may read them at any time, and nobody waits.
// An entry that is overwritten while it is read is not returned.
#pragma once

#include <parley/detail/sync/atomic.hpp>

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

    // For the writer. A word of entry n is released after the count of the entries before it. So a thread that sees
    // such a word sees that n entries were written, and that entry n - capacity is about to go.
    void write(std::uint64_t first, std::uint64_t second) noexcept {
        const std::uint64_t n = written_.load(std::memory_order_relaxed);
        place& to = places_[n & mask_];
        to.first.store(first, std::memory_order_release);
        to.second.store(second, std::memory_order_release);
        written_.store(n + 1, std::memory_order_release);
    }

    // For any thread. Entries are numbered from 0 in the order in which they were written.
    [[nodiscard]] std::uint64_t written() const noexcept { return written_.load(std::memory_order_acquire); }
    [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }
    // Returns nothing if the entry is not written yet, is overwritten, or is about to be.
    [[nodiscard]] std::optional<entry> at(std::uint64_t number) const noexcept {
        if (number >= written()) return std::nullopt;
        const place& from = places_[number & mask_];
        const entry copy{from.first.load(std::memory_order_acquire), from.second.load(std::memory_order_acquire)};
        // This load is not done before the loads above, because they acquire.
        if (written_.load(std::memory_order_relaxed) > number + mask_) return std::nullopt;
        return copy;
    }

private:
    struct place {
        atomic<std::uint64_t> first{0}, second{0};
    };
    atomic<std::uint64_t> written_{0};
    const std::size_t mask_;
    const std::unique_ptr<place[]> places_;
};

}  // namespace parley::inline v0::sync
