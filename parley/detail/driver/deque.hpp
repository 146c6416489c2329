// A worker's private deque of tasks: pointers in blocks, and a directory of the blocks.
//
// Only its owner touches it. Tasks are pushed and popped at the tail. Answers to steal requests leave at the head,
// where the oldest tasks are; in recursive programs these are the largest (CH §2).
//
// pop_if() rests on an invariant: every slot below the tail holds null or a task that is still in the deque. So the
// slot of a task that leaves at the head becomes null, and slot 0 of each block is always null.
//
// A signal handler on the owner's thread may take tasks at the head between any two instructions of push(), pop() and
// pop_if() (docs/internals/watchdog.md). It never moves the tail or the tail's limit, and takes only what lies below
// the tail that it finds. All other functions say that they must not be interrupted.
#pragma once

#include <parley/detail/base/compiler_fence.hpp>
#include <parley/detail/driver/interruption.hpp>
#include <parley/detail/driver/task.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::inline v0::threading {

// A block has 1,024 words. So its boundary is met rarely, and a thief's half of it (take_half) is copied in less than a
// microsecond. It begins like a task, so a task channel carries either of the two (deque::receive).
struct block : task {
    static constexpr std::uint32_t first = 1;  // slot 0 is the sentinel
    static constexpr std::uint32_t end_of_slots = 1022;
    static constexpr std::uint32_t capacity = end_of_slots - first;

    std::uint32_t begin = first;  // of a block that is sent: its tasks are in [begin, end)
    std::uint32_t end = first;
    std::array<task*, end_of_slots> slots;

    task** at(std::uint32_t index) noexcept { return slots.data() + index; }
};

class deque {
public:
    deque();
    ~deque();
    deque(const deque&) = delete;
    deque& operator=(const deque&) = delete;

    // Adds a task, by two stores and a compare. Returns the slot, for pop_if(). Amortised O(1). Throws std::bad_alloc
    // and leaves the deque unchanged.
    [[gnu::always_inline]] task** push(task* t) {
        if (tail_ == limit_) [[unlikely]]
            grow();
        task** const slot = tail_;
        *slot = t;
        base::compiler_fence();  // the task and its slot are written before the tail moves
        tail_ = slot + 1;
        base::compiler_fence();  // the tail has moved before the caller goes on
        return slot;
    }

    // Removes `t`, pushed into `slot`, if it is the newest task. True: it was. This is the join of a forked call that
    // nobody took.
    // 1. The new tail comes from the slot, not from the old tail. A chain of dependent loads and stores of the tail was half
    //    of the cost of a fork.
    // 2. The slot is read only if it is right below the tail. Otherwise its block may be gone.
    // 3. The tail moves before the slot is read. A handler that runs before that may take `t`, and nulls the slot. A handler
    //    that runs later does not see `t`.
    [[nodiscard, gnu::always_inline]] bool pop_if(const task* t, task** slot) noexcept {
        if (tail_ == slot + 1) [[likely]] {
            tail_ = slot;
            base::compiler_fence();
            if (*slot == t) [[likely]]
                return true;
            tail_ = slot + 1;
        }
        return pop_if_newest(t);
    }

    // Removes `t` if it is the newest task, wherever its slot is. True: it was.
    [[nodiscard, gnu::noinline]] bool pop_if_newest(const task* t) noexcept;

    // The newest task that is not held, or null.
    [[nodiscard]] task* pop() noexcept {
        if (tail_ <= floor_) [[unlikely]]
            return pop_at_floor();
        task** const slot = tail_ - 1;
        tail_ = slot;
        base::compiler_fence();  // before the slot is read, as in pop_if()
        task* const t = *slot;
        if (t == nullptr) [[unlikely]]
            return nothing_left();
        return t;
    }

    // From now on pop() does not take the tasks that are in the deque now. All other functions take them as before. If
    // pop_if() takes a held task, the number of held tasks stays, so a newer task is held in its place. A held task is
    // late, never lost.
    void hold_all() noexcept {
        const uninterrupted here(interruptions_);
        hold_what_is_there();
        ++times_held_;
    }
    // The number of held tasks, which are the oldest. O(1).
    [[nodiscard]] std::size_t held() const noexcept { return std::min(held_, size()); }
    // Lets go of the held tasks. If they were held at different times, they belong to several stacks. Run on top of
    // each other such tasks could wait for each other for ever, so only the newest is let go of.
    void let_go() noexcept;

    // hold_more() holds all tasks until hold_as(), which holds again those that were held before and are still here. If
    // all tasks have left meanwhile and others came and are held, hold_as() changes nothing.
    struct held_part {
        std::size_t held, of;
        std::uint64_t times;
        bool mixed;
    };
    [[nodiscard]] held_part hold_more() noexcept;
    void hold_as(held_part before) noexcept;

    // Tasks that are in the deque now count as made outside of the running isolation; later ones as made inside
    // (isolation.hpp). While that isolation lives, no outside task leaves at the tail.
    void begin_inside() noexcept { outside_ = size(); }
    // Was the oldest task made inside? If the deque is empty: will the next one be?
    [[nodiscard]] bool front_is_inside() const noexcept { return outside_ == 0; }
    // The number of tasks made inside, which are the newest.
    [[nodiscard]] std::size_t inside() const noexcept { return size() - std::min(outside_, size()); }
    // Replaces each task `t` that was made inside by f(t).
    template <class F>
    void replace_inside(F f) noexcept {
        const uninterrupted here(interruptions_);
        std::size_t in_block = directory_.size();
        task** slot = tail_;
        for (std::size_t left = inside(); left > 0; --left) {
            if (slot == directory_[in_block - 1]->at(block::first))
                slot = directory_[--in_block - 1]->at(block::end_of_slots);
            --slot;
            *slot = f(*slot);
        }
    }

    // The number of tasks. O(1).
    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool empty() const noexcept { return tail_ == head_; }

    // Does the next push() need a new block? Only then full() has anything to find.
    [[nodiscard]] bool at_end_of_block() const noexcept { return tail_ == limit_; }
    // Does the next push() need a new block while the deque has at least `blocks` of them?
    [[nodiscard]] bool full(std::size_t blocks) const noexcept {
        return at_end_of_block() && directory_.size() - oldest_ >= blocks;
    }

    // Right after push(): the newest task, or null if it has been taken since.
    [[nodiscard]] const task* pushed_last() const noexcept { return *(tail_ - 1); }
    // The oldest task. The deque must not be empty.
    [[nodiscard]] task* front() const noexcept { return *head_; }

    // Removes the oldest task. The deque must not be empty.
    [[nodiscard]] task* take_oldest() noexcept;

    // Removes half of the tasks, rounded up, the oldest first, and returns them as one message. The receiver runs them
    // on one stack. So there are limits: one block; only held tasks if there are any; a single task if they were held
    // at different times. O(1) if the oldest block leaves as it is. Otherwise at most block::capacity pointers are
    // copied. The deque must not be empty.
    [[nodiscard]] task* take_half();

    // Puts the tasks of a message into the deque, which must be empty.
    void receive(task* message);
    // Calls f with each task of a message, the oldest first. The deque stays as it is.
    template <class F>
    void unpack(task* message, F f) {
        if (message->run != &carried) return f(message);
        auto* const b = static_cast<block*>(message);
        for (std::uint32_t i = b->begin; i < b->end; ++i) f(*b->at(i));
        const uninterrupted here(interruptions_);
        release(b);
    }

    // --- for a signal handler that interrupts the owner -----------------------------------------------
    [[nodiscard]] bool is_changing() const noexcept { return interruptions_.are_off(); }
    // The number of tasks that a handler finds. While the owner pops the last task, the tail may be below the head.
    [[nodiscard]] std::size_t size_when_interrupted() const noexcept;
    // Takes half of the tasks or the oldest one, but neither allocates nor frees. If half of them need a block and none
    // is in stock, takes one task.
    [[nodiscard]] task* take_when_interrupted(bool half) noexcept;
    // Puts a block into stock if there is none and there is memory for it.
    void keep_a_block() noexcept;

private:
    [[nodiscard]] block* newest() const noexcept { return directory_.back(); }
    [[nodiscard]] block* oldest() const noexcept { return directory_[oldest_]; }
    [[gnu::noinline, gnu::cold]] void grow();
    [[nodiscard, gnu::noinline]] task* pop_at_floor() noexcept;
    [[nodiscard, gnu::noinline, gnu::cold]] task* nothing_left() noexcept;
    [[nodiscard]] task* take_first(std::size_t wanted);
    [[nodiscard]] task* take_oldest_block() noexcept;
    void retreat() noexcept;
    void find_floor() noexcept;
    void hold_what_is_there() noexcept {
        const std::size_t all = size();
        mixed_ = held_ > 0 && (mixed_ || held_ < all);
        held_ = all;
        floor_ = tail_;
    }
    [[nodiscard]] std::size_t at_once(std::size_t wanted) const noexcept {
        return held_ == 0 ? wanted : mixed_ ? 1 : std::min(wanted, held_);
    }
    void drop_oldest() noexcept;
    void head_passed(std::uint32_t count) noexcept;
    void tidy_up() noexcept;
    block* new_block();
    void release(block* b) noexcept;
    void restart_with(block* b, std::uint32_t begin, std::uint32_t end) noexcept;

    static void carried(task*, worker&);  // its address marks a message that is a block

    task** tail_ = nullptr;   // one past the newest task
    task** limit_ = nullptr;  // the end of the newest block
    task** head_ = nullptr;   // the oldest task
    // pop() may go down to here in the newest block. It is the highest of three that lie in the block: its beginning, the
    // head, and the end of the held tasks.
    task** floor_ = nullptr;
    std::size_t held_ = 0;  // the number of held tasks, the oldest ones
    std::uint64_t times_held_ = 0;
    std::size_t outside_ = 0;  // the number of tasks made outside, the oldest ones; see begin_inside()
    std::size_t oldest_ = 0;   // directory_[oldest_ .. size) are in use
    bool mixed_ = false;       // the held ones were held at different times
    interruptions interruptions_;
    std::vector<block*> directory_;
    std::vector<block*> spare_;
};

}  // namespace parley::inline v0::threading
