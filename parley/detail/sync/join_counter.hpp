// How many children a task waits for: made by one thread, the owner's, and done by any (join counters, TH §4.4.2).
//
// What happens on the owner's thread is counted in plain memory: most children never leave it. Others take theirs off
// one atomic word. When the owner begins to wait it adds to that word what it has counted itself; from then on the word
// is what is left, and whoever takes off the last one learns that the owner is to be told. Before that the word is not
// above zero, so nobody does.
#pragma once

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class join_counter {
public:
    // Owner. One more child is made; not while it waits.
    void add() noexcept { ++here_; }

    // On the owner's thread. All children that are left are counted in the word once the owner waits, so this one is
    // not the last to be told of: its own thread looks by itself.
    void done_here() noexcept {
        if (here_ > 0) --here_;
        else elsewhere_.fetch_sub(1, std::memory_order_relaxed);
    }

    // On any other thread, and its last access to the counter: the owner may go on, and its memory be used again, as
    // soon as it sees this. True: it waits, and this was the last. acq_rel: release pairs with are_done(), so that the
    // owner sees what the child did; and each taking off continues the others' release sequences.
    [[nodiscard]] bool done_elsewhere() noexcept { return elsewhere_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

    // Owner. May any be left? False also after settle().
    [[nodiscard]] bool any() const noexcept { return here_ != 0; }

    // Owner. Acquire: pairs with done_elsewhere().
    [[nodiscard]] bool are_done() const noexcept { return here_ + elsewhere_.load(std::memory_order_acquire) == 0; }

    // Owner. From now on it is told. True: none is left. Acquire, as in are_done().
    [[nodiscard]] bool begin_to_wait() noexcept {
        const std::int64_t here = here_;
        here_ = 0;
        return elsewhere_.fetch_add(here, std::memory_order_acq_rel) + here == 0;
    }

    // Owner, when all are done: for the next ones. Relaxed: nobody else is there.
    void settle() noexcept {
        here_ = 0;
        elsewhere_.store(0, std::memory_order_relaxed);
    }

private:
    std::int64_t here_ = 0;  // made, less those done here, until the owner waits
    std::atomic<std::int64_t> elsewhere_{0};
};

}  // namespace parley::inline v0::sync
