// The injector: an unbounded FIFO channel with many senders and many receivers for jobs that come
// from outside the workers. It is off every hot path: senders are threads of the user, receivers
// workers without work. So a mutex orders it, and one count lets receivers see that it is empty
// without touching the mutex.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>

namespace parley::inline v0::sync {

template <class Node, Node* Node::* Next>
class injector {
public:
    // seq_cst count: pairs with empty(): a sender does `send; look into the lobby`, a worker that
    // falls asleep `deposit its request; empty()`; one of the two sees the other.
    void send(Node* node) noexcept {
        node->*Next = nullptr;
        const std::scoped_lock guard(mutex_);
        *end_ = node;
        end_ = &(node->*Next);
        count_.fetch_add(1, std::memory_order_seq_cst);
    }

    // Back to the front, by who received it last.
    void put_back(Node* node) noexcept {
        const std::scoped_lock guard(mutex_);
        node->*Next = first_;
        if (first_ == nullptr) end_ = &(node->*Next);
        first_ = node;
        count_.fetch_add(1, std::memory_order_seq_cst);
    }

    [[nodiscard]] Node* receive() noexcept {
        if (empty()) return nullptr;
        const std::scoped_lock guard(mutex_);
        Node* node = first_;
        if (node == nullptr) return nullptr;
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
    std::atomic<std::size_t> count_{0};
};

}  // namespace parley::inline v0::sync
