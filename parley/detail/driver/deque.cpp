#include <parley/detail/driver/deque.hpp>

#include <parley/detail/base/contract.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace parley::inline v0::threading {

namespace {
constexpr std::size_t kept_blocks = 4;  // 32 KiB: enough where the depth moves over a block boundary and back
}

void deque::carried(task*, worker&) {
    std::abort();  // only its address is used
}

deque::deque() {
    // Room is reserved here, because pop() and take_oldest() release blocks and must not throw.
    spare_.reserve(kept_blocks);
    directory_.reserve(16);
    directory_.push_back(new_block());
    restart_with(newest(), block::first, block::first);
}

deque::~deque() {
    for (std::size_t i = oldest_; i < directory_.size(); ++i) delete directory_[i];
    for (block* b : spare_) delete b;
}

block* deque::new_block() {
    block* b;
    if (spare_.empty()) {
        b = new block;
    } else {
        b = spare_.back();
        spare_.pop_back();
    }
    b->run = &carried;
    b->slots[0] = nullptr;
    return b;
}

void deque::release(block* b) noexcept {
    if (spare_.size() < kept_blocks) spare_.push_back(b);
    else delete b;
}

void deque::restart_with(block* b, std::uint32_t begin, std::uint32_t end) noexcept {
    head_ = b->at(begin);
    tail_ = b->at(end);
    limit_ = b->at(block::end_of_slots);
    floor_ = head_;
    held_ = 0;
}

std::size_t deque::size() const noexcept {
    if (newest() == oldest()) return static_cast<std::size_t>(tail_ - head_);
    const auto in_oldest = static_cast<std::size_t>(oldest()->at(block::end_of_slots) - head_);
    const auto in_newest = static_cast<std::size_t>(tail_ - newest()->at(block::first));
    const std::size_t between = directory_.size() - oldest_ - 2;
    return in_oldest + between * block::capacity + in_newest;
}

void deque::grow() {
    const uninterrupted here(interruptions_);
    if (empty()) {
        // The owner's frames need not find their tasks again, since these have left. So the block is used from its
        // beginning again.
        restart_with(newest(), block::first, block::first);
        return;
    }
    if (oldest_ > directory_.size() / 2) {
        directory_.erase(directory_.begin(), directory_.begin() + static_cast<std::ptrdiff_t>(oldest_));
        oldest_ = 0;
    }
    if (directory_.size() == directory_.capacity()) directory_.reserve(2 * directory_.size());
    block* b = new_block();
    directory_.push_back(b);
    tail_ = floor_ = b->at(block::first);
    limit_ = b->at(block::end_of_slots);
}

void deque::find_floor() noexcept {
    held_ = std::min(held_, size());
    task** const lowest = newest() == oldest() ? head_ : newest()->at(block::first);
    const std::size_t below = size() - static_cast<std::size_t>(tail_ - lowest);
    floor_ = lowest + (held_ > below ? held_ - below : 0);
}

void deque::let_go() noexcept {
    const uninterrupted here(interruptions_);
    held_ = std::min(held_, size());
    held_ = mixed_ && held_ > 0 ? held_ - 1 : 0;
    find_floor();
}

deque::held_part deque::hold_more() noexcept {
    const uninterrupted here(interruptions_);
    held_ = std::min(held_, size());
    const held_part before{held_, size(), ++times_held_, mixed_};
    hold_what_is_there();
    return before;
}

void deque::hold_as(held_part before) noexcept {
    const uninterrupted here(interruptions_);
    if (times_held_ != before.times) return;
    // Until now all tasks were held, so those that left have left at the head.
    const std::size_t left = before.of - held_;
    held_ = before.held - std::min(before.held, left);
    mixed_ = before.mixed;
    find_floor();
    --times_held_;
}

// Gives up the newest block, which is empty and not the oldest. The tail goes to the end of the block before, which is
// full.
void deque::retreat() noexcept {
    release(newest());
    directory_.pop_back();
    tail_ = limit_ = newest()->at(block::end_of_slots);
    find_floor();
}

task* deque::pop_at_floor() noexcept {
    const uninterrupted here(interruptions_);
    if (size() <= held_) return nullptr;
    retreat();
    return *--tail_;
}

// pop() has moved the tail below a slot that was taken before. It was the last task's slot, since tasks leave at the
// head in their order. So the tail goes back.
task* deque::nothing_left() noexcept {
    ++tail_;
    return nullptr;
}

bool deque::pop_if_newest(const task* t) noexcept {
    const uninterrupted here(interruptions_);
    if (empty()) return false;
    if (newest() != oldest() && tail_ == newest()->at(block::first)) retreat();
    if (tail_[-1] != t) return false;
    --tail_;
    return true;
}

void deque::drop_oldest() noexcept {
    ++oldest_;
    head_ = oldest()->at(block::first);
}

// Takes note of `count` tasks that have left at the head of the oldest block. The tail may be moving, so this does not
// look at it.
void deque::head_passed(std::uint32_t count) noexcept {
    std::fill_n(head_, count, nullptr);
    head_ += count;
    held_ -= std::min<std::size_t>(held_, count);
    outside_ -= std::min<std::size_t>(outside_, count);
    if (newest() == oldest()) {
        floor_ = std::max(floor_, head_);  // it stays at the end of held tasks: they are fewer, the head is higher
    } else if (head_ == oldest()->at(block::end_of_slots)) {
        release(oldest());
        drop_oldest();
    }
}

task* deque::take_oldest() noexcept {
    PARLEY_REQUIRE(!empty());
    const uninterrupted here(interruptions_);
    task* t = *head_;
    head_passed(1);
    tidy_up();
    return t;
}

task* deque::take_oldest_block() noexcept {
    block* whole = oldest();
    whole->begin = static_cast<std::uint32_t>(head_ - whole->slots.data());
    whole->end = block::end_of_slots;
    held_ -= std::min<std::size_t>(held_, whole->end - whole->begin);
    outside_ -= std::min<std::size_t>(outside_, whole->end - whole->begin);
    drop_oldest();
    return whole;
}

// Takes the oldest `wanted` tasks, or all of the oldest block if that has fewer.
task* deque::take_first(std::size_t wanted) {
    task** const end = newest() == oldest() ? tail_ : oldest()->at(block::end_of_slots);
    const auto in_oldest = static_cast<std::size_t>(end - head_);
    if (newest() != oldest() && wanted >= in_oldest) return take_oldest_block();
    const auto count = static_cast<std::uint32_t>(std::min(wanted, in_oldest));
    block* part = new_block();
    part->begin = block::first;
    part->end = block::first + count;
    std::copy_n(head_, count, part->at(block::first));
    head_passed(count);
    return part;
}

task* deque::take_half() {
    const std::size_t half = at_once((size() + 1) / 2);
    if (half == 1) return take_oldest();
    const uninterrupted here(interruptions_);
    task* const message = take_first(half);
    tidy_up();
    return message;
}

// Called after the owner itself has taken something at the head.
void deque::tidy_up() noexcept {
    if (newest() != oldest()) return;
    find_floor();
    if (empty()) restart_with(newest(), block::first, block::first);
}

std::size_t deque::size_when_interrupted() const noexcept {
    if (newest() == oldest() && tail_ < head_) return 0;
    return size();
}

// If only the last task of the oldest block is left, the block leaves with it, and need not be freed here.
task* deque::take_when_interrupted(bool half) noexcept {
    const std::size_t wanted = half ? at_once((size_when_interrupted() + 1) / 2) : 1;
    const bool last_of_block = newest() != oldest() && head_ + 1 == oldest()->at(block::end_of_slots);
    if (last_of_block || (wanted > 1 && !spare_.empty())) return take_first(wanted);
    task* t = *head_;
    head_passed(1);
    return t;
}

void deque::keep_a_block() noexcept {
    if (!spare_.empty()) return;
    const uninterrupted here(interruptions_);
    try {
        spare_.push_back(new block);  // does not throw: room was reserved
    } catch (const std::bad_alloc&) {}
}

void deque::receive(task* message) {
    PARLEY_REQUIRE(empty());
    const uninterrupted here(interruptions_);
    if (message->run != &carried) {
        push(message);
        return;
    }
    auto* b = static_cast<block*>(message);
    // The slot below the first task must be null (see the invariant). The sender may have left something there.
    *b->at(b->begin - 1) = nullptr;
    release(newest());
    directory_.back() = b;
    restart_with(b, b->begin, b->end);
}

}  // namespace parley::inline v0::threading
