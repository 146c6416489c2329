// A linearisable FIFO queue with many senders and one receiver (I3: request channels are causal).
//
// Nodes belong to the sender and are linked through a member. So the channel never allocates and never overflows (I6).
// Senders push on a stack by one compare-and-swap, the linearisation point of send(). The receiver takes the whole
// stack by one exchange and reverses it, which gives the order of the sends. There is no ABA problem: a sender only
// needs the head to be the node that it linked to.
//
// The receiver may close the channel. "Closed" is a value of the same word, so a send either comes before the closing
// and is received, or fails. Nothing is lost in a closed channel.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

template <class Node, Node* Node::* Next>
class mpsc {
public:
    explicit mpsc(bool open = true) noexcept : head_(open ? nullptr : closed()) {}

    // Any thread that owns the node may call this. False: the channel is closed, and the node is still the caller's.
    [[nodiscard]] bool send(Node* node) noexcept {
        Node* head = head_.load(std::memory_order_relaxed);
        do {
            if (head == closed()) return false;
            node->*Next = head;
            // Release: the receiver's exchange acquires the node's contents and its link.
        } while (!head_.compare_exchange_weak(head, node, std::memory_order_release, std::memory_order_relaxed));
        return true;
    }

    // Receiver only. Returns the oldest node, or null.
    [[nodiscard]] Node* receive() noexcept {
        if (ready_ == nullptr) {
            Node* head = head_.load(std::memory_order_relaxed);
            if (head == nullptr || head == closed()) return nullptr;
            // Acquire: pairs with every send() whose node is taken (they form one release sequence).
            append(head_.exchange(nullptr, std::memory_order_acquire));
        }
        Node* node = ready_;
        if (node != nullptr) ready_ = node->*Next;
        return node;
    }

    // Receiver only. Would receive() return a node?
    [[nodiscard]] bool peek() const noexcept {
        if (ready_ != nullptr) return true;
        const Node* head = head_.load(std::memory_order_relaxed);
        return head != nullptr && head != closed();
    }

    // Receiver only. Counts the nodes that are so, among those that receive() would return by now. O(their number).
    // Takes none. Only the receiver removes nodes, so those that its load has seen stay linked.
    template <class Predicate>
    [[nodiscard]] std::uint32_t count_if(const Predicate& is_so) const noexcept {
        std::uint32_t n = 0;
        for (const Node* node = ready_; node != nullptr; node = node->*Next) n += is_so(*node) ? 1U : 0U;
        // Acquire: as in receive().
        const Node* head = head_.load(std::memory_order_acquire);
        if (head == closed()) return n;
        for (; head != nullptr; head = head->*Next) n += is_so(*head) ? 1U : 0U;
        return n;
    }

    // Receiver only. After close() no send succeeds; nodes that came before can still be received. Acquire: the nodes,
    // as in receive(). A sender that finds the channel closed learns nothing else.
    void close() noexcept {
        Node* head = head_.exchange(closed(), std::memory_order_acquire);
        if (head != closed()) append(head);
    }

    // Receiver only. Relaxed: an open channel tells senders nothing else.
    void open() noexcept {
        if (head_.load(std::memory_order_relaxed) == closed()) head_.store(nullptr, std::memory_order_relaxed);
    }

    [[nodiscard]] bool is_closed() const noexcept { return head_.load(std::memory_order_relaxed) == closed(); }

private:
    // An address that no node has: the channel's own tag object.
    static Node* closed() noexcept {
        alignas(Node) static unsigned char tag[sizeof(Node)];
        return reinterpret_cast<Node*>(tag);
    }

    // Appends the nodes of a stack (newest first) to ready_ in the order of their sends.
    void append(Node* stack) noexcept {
        Node* fifo = nullptr;
        while (stack != nullptr) {
            Node* older = stack->*Next;
            stack->*Next = fifo;
            fifo = stack;
            stack = older;
        }
        Node** end = &ready_;
        while (*end != nullptr) end = &((*end)->*Next);
        *end = fifo;
    }

    atomic<Node*> head_;
    Node* ready_ = nullptr;  // received in order, not handed out yet; the receiver's own
};

}  // namespace parley::inline v0::sync
