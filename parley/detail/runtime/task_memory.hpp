// Memory for tasks that do not live in a frame: one size, one cache line, reused.
//
// A worker allocates from and frees into its own small stock of pointers. Stocks are arrays of
// pointers, not lists through the memory: taking a cell that another core has used last then needs
// no read of it. What one worker frees and another allocated goes back in batches, through the
// depot. What is freed by a thread that is no worker there, perhaps when the workers are gone, goes
// back one by one.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/remaining.hpp>
#include <parley/detail/sync/stack.hpp>

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

    depot() = default;
    depot(const depot&) = delete;
    depot& operator=(const depot&) = delete;

    // Both move exactly `batch` pointers.
    void take(cell** into);
    void give(cell* const* from) noexcept;

    // One cell, from any thread, also after abandon(). Lock-free: a child of fork() may do it, too.
    void give_back(void* memory) noexcept;

    // A stock ends, with so many cells in it.
    void write_off(std::uint64_t cells) noexcept { written_off_.add(cells); }

    // Of one that was made by `new`, when all its stocks have ended: it goes with the last cell that is given back.
    struct abandon {
        void operator()(depot* d) const noexcept { d->end(); }
    };

private:
    struct returned {
        returned* next;
    };
    void collect() noexcept;
    void end() noexcept;

    // More than are ever given back before the end, so that none of those is taken for the last.
    static constexpr std::uint64_t many = std::uint64_t{1} << 62;

    std::mutex mutex_;
    std::vector<cell*> stock_;
    std::vector<std::unique_ptr<cell[]>> slabs_;
    std::uint64_t away_ = 0;  // taken in batches and not given in batches, those collected among them
    sync::shared_counter written_off_;
    sync::stack<returned, &returned::next> returned_;  // received under mutex_
    returned* received_ = nullptr;                     // and not yet collected
    sync::remaining to_be_given_back_{many};
};

// One worker's stock.
class task_memory {
public:
    explicit task_memory(depot& shared) noexcept : shared_(shared) {}
    task_memory(const task_memory&) = delete;
    task_memory& operator=(const task_memory&) = delete;
    ~task_memory() { shared_.write_off(static_cast<std::uint64_t>(top_ - stock_.data())); }

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

    [[nodiscard]] depot& home() const noexcept { return shared_; }

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
