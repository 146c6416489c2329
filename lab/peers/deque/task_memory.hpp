// Memory for spawned tasks: what a worker freed it uses again, up to a bound; the rest is the heap's.
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace parley_peers::deque_detail {

class task_memory {
public:
    static constexpr std::size_t size = 64;

    task_memory() = default;
    task_memory(const task_memory&) = delete;
    task_memory& operator=(const task_memory&) = delete;
    ~task_memory() {
        while (kept_ > 0) release(stock_[--kept_]);
    }

    [[nodiscard]] void* allocate() { return kept_ > 0 ? stock_[--kept_] : ::operator new(size, std::align_val_t{size}); }
    void free(void* memory) noexcept {
        if (kept_ < stock_.size()) stock_[kept_++] = memory;
        else release(memory);
    }

private:
    static void release(void* memory) noexcept { ::operator delete(memory, std::align_val_t{size}); }
    std::size_t kept_ = 0;
    std::array<void*, 1024> stock_;
};

}  // namespace parley_peers::deque_detail
