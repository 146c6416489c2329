// A worker's private deque of tasks: pointers in blocks under a directory.
//
// Only its owner touches it. New tasks are pushed and popped at the tail; answers to steal requests
// leave from the head, where the oldest, in recursive programs the largest, tasks are (CH §2).
//
// Invariant that pop_if() rests on: every slot below the tail holds a task that is still in the
// deque, or null. So a taken slot is nulled, and slot 0 of each block is null for ever.
//
// A signal handler on the owner's thread may take from the head between any two instructions of push(),
// pop() and pop_if() (docs/internals/watchdog.md): it never moves the tail or its limit, and takes only what lies below
// the tail that it finds. Everything else says while it works that it is not to be interrupted.
#pragma once

#include <parley/detail/runtime/interruption.hpp>
#include <parley/detail/runtime/task.hpp>
#include <parley/detail/sync/compiler_fence.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::inline v0::threading {

// 1,024 words: large enough that a block boundary is rare, small enough that half of a block is
// copied in less than a microsecond. It begins like a task, so that a task channel carries either
// (see deque::receive).
struct block : task {
    static constexpr std::uint32_t first = 1;  // slot 0 is the sentinel
    static constexpr std::uint32_t end_of_slots = 1022;
    static constexpr std::uint32_t capacity = end_of_slots - first;

    std::uint32_t begin = first;  // in a message: the tasks are in [begin, end)
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

    // Amortised O(1): two stores and a compare. Returns the slot, for pop_if(). Throws std::bad_alloc
    // with the deque unchanged.
    [[gnu::always_inline]] task** push(task* t) {
        if (tail_ == limit_) [[unlikely]]
            grow();
        task** const slot = tail_;
        *slot = t;
        sync::compiler_fence();  // what is below the tail is there, its contents included
        tail_ = slot + 1;
        sync::compiler_fence();  // and is below it before the caller goes on
        return slot;
    }

    // True if `t`, pushed into `slot`, is the newest task; it is then removed. The join of untaken
    // work. The new tail comes from the slot, not from the old tail: a chain of dependent loads and
    // stores of the tail was half of the cost of a fork. The slot is read only if it is right below
    // the tail: else its block may be gone. The tail moves before the slot is read: what interrupts the
    // owner before that may take `t`, and the slot is null; after that it does not see `t`.
    [[nodiscard, gnu::always_inline]] bool pop_if(const task* t, task** slot) noexcept {
        if (tail_ == slot + 1) [[likely]] {
            tail_ = slot;
            sync::compiler_fence();
            if (*slot == t) [[likely]]
                return true;
            tail_ = slot + 1;
        }
        return pop_if_newest(t);
    }

    // The same without knowing the slot.
    [[nodiscard, gnu::noinline]] bool pop_if_newest(const task* t) noexcept;

    // The newest task that is not held, or null.
    [[nodiscard]] task* pop() noexcept {
        if (tail_ <= floor_) [[unlikely]]
            return pop_at_floor();
        task** const slot = tail_ - 1;
        tail_ = slot;
        sync::compiler_fence();  // as in pop_if()
        task* const t = *slot;
        if (t == nullptr) [[unlikely]]
            return nothing_left();
        return t;
    }

    // From now on pop() leaves those alone that are in the deque now; everything else takes them as
    // before. (A held task that pop_if() takes makes room under the floor: then newer ones are held in
    // its place. Held ones are late, never lost.)
    void hold_all() noexcept {
        const uninterrupted here(interruptions_);
        hold_what_is_there();
        ++times_held_;
    }
    // How many of the oldest are held, O(1).
    [[nodiscard]] std::size_t held() const noexcept { return std::min(held_, size()); }
    // None is held any more. If they were held at different times, as tasks of several stacks are, only the newest is let
    // go of: run on top of each other they could wait for each other for ever.
    void let_go() noexcept;

    // Holds all until hold_as(), which holds again what was held before, as far as it is still here.
    // If all left meanwhile and others came, which are held, those stay so.
    struct held_part {
        std::size_t held, of;
        std::uint64_t times;
        bool mixed;
    };
    [[nodiscard]] held_part hold_more() noexcept;
    void hold_as(held_part before) noexcept;

    // From now on what is in the deque counts as made outside of the running isolation, and what is pushed later as
    // made inside (isolation.hpp). While that isolation lives, nothing that was made outside leaves at the tail.
    void begin_inside() noexcept { outside_ = size(); }
    // Was the oldest task made inside, or the next one to come if there is none?
    [[nodiscard]] bool front_is_inside() const noexcept { return outside_ == 0; }
    // How many were made inside: the newest so many.
    [[nodiscard]] std::size_t inside() const noexcept { return size() - std::min(outside_, size()); }
    // Puts f(t) into the place of each task `t` that was made inside.
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

    // Number of tasks, O(1).
    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool empty() const noexcept { return tail_ == head_; }

    // Does the next push() need a new block? If not, full() is not worth looking up its bound.
    [[nodiscard]] bool at_end_of_block() const noexcept { return tail_ == limit_; }
    // The next push() needs a new block and the deque holds `blocks` of them or more.
    [[nodiscard]] bool full(std::size_t blocks) const noexcept {
        return at_end_of_block() && directory_.size() - oldest_ >= blocks;
    }

    // The oldest task; the deque is not empty.
    [[nodiscard]] task* front() const noexcept { return *head_; }

    // Removes the oldest task; the deque is not empty.
    [[nodiscard]] task* take_oldest() noexcept;

    // Removes half of the tasks, rounded up, the oldest first, at most one block of them, and returns
    // them as one message. Whoever receives it runs them on one stack: so where some are held, none but those, and one
    // alone if they were held at different times. O(1) if the oldest block goes as it is, else the copying of at most
    // block::capacity pointers. The deque is not empty.
    [[nodiscard]] task* take_half();

    // Takes in a message: one task or a block of them. The deque is empty.
    void receive(task* message);
    // Calls f with each task of a message, the oldest first; the deque stays as it is.
    template <class F>
    void unpack(task* message, F f) {
        if (message->run != &carried) return f(message);
        auto* const b = static_cast<block*>(message);
        for (std::uint32_t i = b->begin; i < b->end; ++i) f(*b->at(i));
        const uninterrupted here(interruptions_);
        release(b);
    }

    // --- for what interrupts the owner -----------------------------------------------------------
    [[nodiscard]] bool is_changing() const noexcept { return interruptions_.are_off(); }
    // How many it finds. While the owner pops the last task, the tail may be below the head.
    [[nodiscard]] std::size_t size_when_interrupted() const noexcept;
    // As take_half(), or take_oldest(), but it allocates and frees nothing: one task where half of them
    // need a block and there is none in stock.
    [[nodiscard]] task* take_when_interrupted(bool half) noexcept;
    // Has a block in stock, memory permitting.
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
        held_ = std::min(held_, all);
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

    static void carried(task*, worker&);  // what marks a message that is a block

    task** tail_ = nullptr;   // one past the newest task
    task** limit_ = nullptr;  // the end of the newest block
    task** head_ = nullptr;   // the oldest task
    // How far down pop() may come in the newest block: its beginning, or the head if that is in it, or
    // the end of the held tasks if that is in it.
    task** floor_ = nullptr;
    std::size_t held_ = 0;  // the oldest so many
    std::uint64_t times_held_ = 0;
    std::size_t outside_ = 0;  // the oldest so many were made outside, see begin_inside()
    std::size_t oldest_ = 0;   // directory_[oldest_ .. size) are in use
    bool mixed_ = false;       // the held ones were held at different times
    interruptions interruptions_;
    std::vector<block*> directory_;
    std::vector<block*> spare_;
};

}  // namespace parley::inline v0::threading
