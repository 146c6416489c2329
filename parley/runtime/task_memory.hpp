// Memory for tasks that do not live in a frame: one size, one cache line, reused.
//
// A worker allocates from and frees into its own small stock of pointers. Stocks are arrays of
// pointers, not lists through the memory: taking a cell that another core has used last then needs
// no read of it. What one worker frees and another allocated goes back in batches, through the
// depot.
#pragma once

#include <parley/base/cache_line.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace parley::inline v0::threading {

struct alignas(base::cache_line) cell {
    std::array<std::byte, base::cache_line> bytes;
};

// Shared by the workers of one runtime; used once per `batch` allocations.
class depot {
public:
    static constexpr std::uint32_t batch = 256;

    // Both move exactly `batch` pointers.
    void take(cell** into);
    void give(cell* const* from) noexcept;

private:
    std::mutex mutex_;
    std::vector<cell*> stock_;
    std::vector<std::unique_ptr<cell[]>> slabs_;
};

// One worker's stock.
class task_memory {
public:
    explicit task_memory(depot& shared) noexcept : shared_(shared) {}
    task_memory(const task_memory&) = delete;
    task_memory& operator=(const task_memory&) = delete;

    // Throws std::bad_alloc.
    [[nodiscard, gnu::always_inline]] void* allocate() {
        if (top_ == stock_.data()) [[unlikely]]
            refill();
        return *--top_;
    }

    [[gnu::always_inline]] void free(void* memory) noexcept {
        if (top_ == stock_.data() + stock_.size()) [[unlikely]]
            send_home();
        *top_++ = static_cast<cell*>(memory);
    }

private:
    [[gnu::noinline, gnu::cold]] void refill() {
        shared_.take(stock_.data());
        top_ = stock_.data() + depot::batch;
    }
    [[gnu::noinline, gnu::cold]] void send_home() noexcept {
        top_ -= depot::batch;
        shared_.give(top_);
    }

    depot& shared_;
    std::array<cell*, 2 * depot::batch> stock_;
    cell** top_ = stock_.data();
};

}  // namespace parley::inline v0::threading
