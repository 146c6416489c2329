// The deque of Chase and Lev (SPAA 2005): its owner pushes and pops at the bottom, thieves steal from
// the top, and only for the last item do they meet in a compare-and-swap.
//
// After Le, Pop, Cohen and Zappa Nardelli, "Correct and efficient work-stealing for weak memory
// models", PPoPP 2013, with their two standalone fences replaced by sequentially consistent accesses
// to `top` and `bottom`, which order the same pairs (pop stores bottom and then loads top, steal loads
// top and then bottom) and which ThreadSanitizer understands.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace parley_peers::deque_detail {

template <class T>
class chase_lev {
public:
    chase_lev() { adopt(std::make_unique<array>(1024)); }
    chase_lev(const chase_lev&) = delete;
    chase_lev& operator=(const chase_lev&) = delete;

    // Owner only, amortised O(1).
    void push(T* item) {
        const std::int64_t b = bottom_.load(std::memory_order_relaxed);
        const std::int64_t t = top_.load(std::memory_order_acquire);  // CAS of thieves: slots are free
        array* a = array_.load(std::memory_order_relaxed);
        if (b - t >= a->size()) [[unlikely]]
            a = grow(a, t, b);
        a->put(b, item);
        bottom_.store(b + 1, std::memory_order_release);  // steal(): the item is there
    }

    // Owner only. The newest item, or null.
    T* pop() {
        const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
        array* const a = array_.load(std::memory_order_relaxed);
        // Before top is read: a thief either sees that the item is claimed, or is seen to have it.
        bottom_.store(b, std::memory_order_seq_cst);
        std::int64_t t = top_.load(std::memory_order_seq_cst);
        if (t > b) [[unlikely]] {
            bottom_.store(b + 1, std::memory_order_relaxed);
            return nullptr;
        }
        T* item = a->get(b);
        if (t == b) [[unlikely]] {  // the last one: whoever moves top has it
            if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
                item = nullptr;
            bottom_.store(b + 1, std::memory_order_relaxed);
        }
        return item;
    }

    // Any thread. The oldest item, or null if there is none or another was faster.
    T* steal() {
        std::int64_t t = top_.load(std::memory_order_seq_cst);
        const std::int64_t b = bottom_.load(std::memory_order_seq_cst);
        if (t >= b) return nullptr;
        T* const item = array_.load(std::memory_order_acquire)->get(t);
        return top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed) ? item : nullptr;
    }

    // Any thread; may be outdated at once.
    [[nodiscard]] bool looks_empty() const noexcept {
        return bottom_.load(std::memory_order_relaxed) <= top_.load(std::memory_order_relaxed);
    }

private:
    class array {
    public:
        explicit array(std::size_t size) : mask_(size - 1), slots_(new std::atomic<T*>[size]) {}
        [[nodiscard]] std::int64_t size() const noexcept { return static_cast<std::int64_t>(mask_ + 1); }
        // Relaxed: a thief uses what it read only after its compare-and-swap has succeeded.
        T* get(std::int64_t i) const noexcept {
            return slots_[static_cast<std::size_t>(i) & mask_].load(std::memory_order_relaxed);
        }
        void put(std::int64_t i, T* item) noexcept {
            slots_[static_cast<std::size_t>(i) & mask_].store(item, std::memory_order_relaxed);
        }

    private:
        std::size_t mask_;
        std::unique_ptr<std::atomic<T*>[]> slots_;
    };

    [[gnu::noinline]] array* grow(const array* old, std::int64_t t, std::int64_t b) {
        auto larger = std::make_unique<array>(2 * static_cast<std::size_t>(old->size()));
        for (std::int64_t i = t; i < b; ++i) larger->put(i, old->get(i));
        return adopt(std::move(larger));
    }
    // Thieves may still read an old array: all of them live as long as the deque.
    array* adopt(std::unique_ptr<array> a) {
        arrays_.push_back(std::move(a));
        array_.store(arrays_.back().get(), std::memory_order_release);  // steal(): its slots are set
        return arrays_.back().get();
    }

    static constexpr std::size_t line = 64;
    alignas(line) std::atomic<std::int64_t> top_{0};
    alignas(line) std::atomic<std::int64_t> bottom_{0};
    std::atomic<array*> array_{nullptr};
    std::vector<std::unique_ptr<array>> arrays_;
};

}  // namespace parley_peers::deque_detail
