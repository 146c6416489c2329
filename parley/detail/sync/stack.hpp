// A channel with many senders and one receiver, which takes all nodes at once, the newest first (Treiber 1986). Where
// order does not matter it is cheaper than mpsc.hpp, because nobody reverses the list.
//
// Nodes belong to the sender and are linked through a member, so nothing is allocated. It is lock-free. There is no ABA
// problem: a sender only needs the head to be the node that it linked to.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>

namespace parley::inline v0::sync {

template <class Node, Node* Node::* Next>
class stack {
public:
    // Any thread that owns the node. Release: take_all() acquires the node's contents and link, and earlier sends are
    // in the same release sequence.
    void send(Node* node) noexcept {
        Node* head = head_.load(std::memory_order_relaxed);
        do {
            node->*Next = head;
        } while (!head_.compare_exchange_weak(head, node, std::memory_order_release, std::memory_order_relaxed));
    }

    // Receiver only: all that was sent, linked, or null. O(1).
    [[nodiscard]] Node* take_all() noexcept {
        if (head_.load(std::memory_order_relaxed) == nullptr) return nullptr;
        return head_.exchange(nullptr, std::memory_order_acquire);
    }

private:
    atomic<Node*> head_{nullptr};
};

}  // namespace parley::inline v0::sync
