// Many senders, one receiver: one linearisable FIFO queue (design: I3, a request channel is causal).
//
// Nodes are the sender's own, linked through a member; so the channel never allocates and never
// overflows: its capacity is the number of nodes that exist. Senders push on a stack with one
// compare-and-swap (lock-free; the linearisation point of send). The receiver takes the whole stack
// with one exchange and reverses it, which gives the order of the sends. Taking everything at once
// leaves no ABA problem: a sender only needs the head to be what it linked to.
//
// The receiver may close the channel; closing is one more value of the same word, so a send either
// came before the closing and is received, or fails: nothing can be lost in a closed channel.
#pragma once

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

template <class Node, Node* Node::* Next>
class mpsc {
public:
    explicit mpsc(bool open = true) noexcept : head_(open ? nullptr : closed()) {}

    // Any thread that owns the node. False: the channel is closed and the node still the caller's.
    [[nodiscard]] bool send(Node* node) noexcept {
        Node* head = head_.load(std::memory_order_relaxed);
        do {
            if (head == closed()) return false;
            node->*Next = head;
            // Release: the receiver's exchange acquires the node's contents and its link.
        } while (!head_.compare_exchange_weak(head, node, std::memory_order_release, std::memory_order_relaxed));
        return true;
    }

    // Receiver only. The oldest node, or null.
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

    // Receiver only: would receive() give something?
    [[nodiscard]] bool peek() const noexcept {
        if (ready_ != nullptr) return true;
        const Node* head = head_.load(std::memory_order_relaxed);
        return head != nullptr && head != closed();
    }

    // Receiver only. Of the nodes that receive() would give by now, how many are so; linear in all of them. Nothing is
    // taken: only the receiver removes nodes, so those that its load has seen stay linked.
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

    // Receiver only. After close() no send succeeds; what came before remains to be received.
    // Acquire: the nodes, as in receive(). A sender that finds it closed learns nothing else by that.
    void close() noexcept {
        Node* head = head_.exchange(closed(), std::memory_order_acquire);
        if (head != closed()) append(head);
    }

    // Receiver only. Relaxed: that it is open carries nothing else.
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

    std::atomic<Node*> head_;
    Node* ready_ = nullptr;  // received in order, not handed out yet; the receiver's own
};

}  // namespace parley::inline v0::sync
