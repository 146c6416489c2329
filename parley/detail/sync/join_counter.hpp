// Counts the children that a task waits for. The owner's thread makes them, any thread may run them (join counters, TH
// §4.4.2).
//
// 1. Children that are done on the owner's thread are counted in plain memory; most are.
// 2. Other threads take theirs off one atomic word, which is not above zero yet.
// 3. When the owner begins to wait, it adds its own count to that word. From then on the word is the number of children
//    that are left.
// 4. So only after that a thread finds that it has taken off the last one, and tells the owner.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class join_counter {
public:
    // For the owner, while it does not wait: it makes one more child.
    void add() noexcept { ++here_; }

    // On the owner's thread. Once the owner waits, the word counts all children that are left. The owner's own thread
    // looks by itself, so it need not be told.
    void done_here() noexcept {
        if (here_ > 0) --here_;
        else elsewhere_.fetch_sub(1, std::memory_order_relaxed);
    }

    // On any other thread, as its last access to the counter: when the owner sees it, the memory may be used again.
    // True: the owner waits, and this was the last child. acq_rel: release pairs with are_done(), so the owner sees
    // what the child did. Each taking off continues the others' release sequences.
    [[nodiscard]] bool done_elsewhere() noexcept { return elsewhere_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

    // For the owner. May any child be left? False also after settle().
    [[nodiscard]] bool any() const noexcept { return here_ != 0; }

    // For the owner. Acquire: pairs with done_elsewhere().
    [[nodiscard]] bool are_done() const noexcept { return here_ + elsewhere_.load(std::memory_order_acquire) == 0; }

    // For the owner, which is to be told from now on. True: no child is left. Acquire, as in are_done().
    [[nodiscard]] bool begin_to_wait() noexcept {
        const std::int64_t here = here_;
        here_ = 0;
        return elsewhere_.fetch_add(here, std::memory_order_acq_rel) + here == 0;
    }

    // For the owner, when all are done: prepares the counter for more children. Relaxed: no other thread uses it.
    void settle() noexcept {
        here_ = 0;
        elsewhere_.store(0, std::memory_order_relaxed);
    }

private:
    std::int64_t here_ = 0;  // made, less those done here, until the owner waits
    atomic<std::int64_t> elsewhere_{0};
};

}  // namespace parley::inline v0::sync
