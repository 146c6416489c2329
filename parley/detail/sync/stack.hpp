// Many senders, one receiver that takes all there is, newest first (Treiber 1986). Where order does not matter it is
// cheaper than mpsc.hpp: nobody turns the list round.
//
// Nodes are the sender's own, linked through a member, so nothing is allocated. Lock-free; taking everything at once
// leaves no ABA problem: a sender only needs the head to be what it linked to.
#pragma once

#include <atomic>

namespace parley::inline v0::sync {

template <class Node, Node* Node::* Next>
class stack {
public:
    // Any thread that owns the node. Release: take_all() acquires the node's contents and its link; what was sent
    // before it belongs to the same release sequence.
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
    std::atomic<Node*> head_{nullptr};
};

}  // namespace parley::inline v0::sync
