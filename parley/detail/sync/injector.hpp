// The injector: an unbounded FIFO channel for jobs from outside the workers, with many senders and many receivers. Its
// senders are threads of the user, its receivers are workers without work, so it is on no fast path. A mutex orders it,
// and a count lets receivers see without the mutex that it is empty.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstddef>
#include <mutex>

namespace parley::inline v0::sync {

template <class Node, Node* Node::* Next>
class injector {
public:
    // seq_cst count: pairs with empty(). A sender does `send; look into the lobby`, a worker that falls asleep does
    // `deposit its request; empty()`. So one of the two sees the other (I11).
    void send(Node* node) noexcept {
        node->*Next = nullptr;
        const std::scoped_lock guard(mutex_);
        *end_ = node;
        end_ = &(node->*Next);
        count_.fetch_add(1, std::memory_order_seq_cst);
    }

    // Puts a node back to the front, by its receiver.
    void put_back(Node* node) noexcept {
        const std::scoped_lock guard(mutex_);
        node->*Next = first_;
        if (first_ == nullptr) end_ = &(node->*Next);
        first_ = node;
        count_.fetch_add(1, std::memory_order_seq_cst);
    }

    [[nodiscard]] Node* receive() noexcept {
        return receive_if([](const Node&) { return true; });
    }

    // Returns the first node if accept(node) holds, otherwise null. It is looked at in its place. So nobody else finds the
    // injector empty meanwhile and falls asleep.
    template <class Accept>
    [[nodiscard]] Node* receive_if(Accept accept) noexcept {
        if (empty()) return nullptr;
        const std::scoped_lock guard(mutex_);
        Node* node = first_;
        if (node == nullptr || !accept(*node)) return nullptr;
        first_ = node->*Next;
        if (first_ == nullptr) end_ = &first_;
        count_.fetch_sub(1, std::memory_order_seq_cst);
        return node;
    }

    [[nodiscard]] bool empty() const noexcept { return count_.load(std::memory_order_seq_cst) == 0; }

private:
    std::mutex mutex_;
    Node* first_ = nullptr;
    Node** end_ = &first_;
    atomic<std::size_t> count_{0};
};

}  // namespace parley::inline v0::sync
