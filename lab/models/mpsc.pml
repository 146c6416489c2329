/* The mailbox: several senders push letters on a stack, one receiver takes the whole stack and reverses
 * it, closes and opens. Thread 0 receives, threads 1 .. SENDERS send LETTERS letters each, in turn in
 * their NODES_EACH nodes. With fewer nodes than letters a node comes home before it is used again, as
 * the travelling letter of a request does.
 *
 * Claims:
 *   - what is received is exactly what was sent, in the order of the sends (one order for all senders):
 *     nothing lost, nothing twice, contents whole;
 *   - after close() and receiving until nothing comes, all that was sent has been received;
 *   - a send that succeeds finds the mailbox open.
 * `line` is what an ideal queue would hold; it and `is_open` exist for the claims alone. */
#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef NODES_EACH
#define NODES_EACH 2
#endif
#ifndef LETTERS
#define LETTERS 2
#endif
#ifndef CLOSINGS
#define CLOSINGS 1 /* besides the one at the end */
#endif

#define NODES (SENDERS * NODES_EACH)
#define THREADS (SENDERS + 1)
#define RECEIVER 0
#if LETTERS > NODES_EACH
#define REUSE
#define LOCATIONS (3 * NODES + 1)
#else
#define LOCATIONS (2 * NODES + 1)
#endif
#define LAGGING 1 /* the receiver */
#ifndef BUFFER
#define BUFFER 3
#endif
#include "store_buffers.pml"

/* Nodes are numbered from 1. */
#define NONE 0
#define CLOSED (NODES + 1)
#define HEAD 0
#define NEXT(node) (node)
#define CONTENTS(node) (NODES + (node))
#define AWAY(node) (2 * NODES + (node))

#if defined(NO_RELEASE_SEND)
#define SEND_ORDER RELAXED
#else
#define SEND_ORDER RELEASE
#endif
#if defined(NO_ACQUIRE_RECEIVE)
#define TAKE_ORDER RELAXED
#else
#define TAKE_ORDER ACQUIRE
#endif
#if defined(NO_ACQUIRE_CLOSE)
#define CLOSE_ORDER RELAXED
#else
#define CLOSE_ORDER ACQUIRE
#endif
#if defined(NO_RELEASE_RETURN)
#define RETURN_ORDER RELAXED
#else
#define RETURN_ORDER RELEASE
#endif

chan line = [NODES] of { byte, byte }; /* node, contents */
bool is_open = true;
byte finished;

/* --- a sender --------------------------------------------------------------------------------- */

inline note_send() {
    assert(is_open);
    line ! node, letter
}

inline link_to_head() {
    /* mpsc.hpp, send(): node->*Next = head; */
    store(me, NEXT(node), head, PLAIN)
}

inline send() {
    /* mpsc.hpp, send(): Node* head = head_.load(std::memory_order_relaxed); */
    load(me, HEAD, RELAXED, head);
    do
#ifndef NO_CLOSED_CHECK
    :: head == CLOSED -> /* mpsc.hpp, send(): if (head == closed()) return false; */
        sent = false;
        break
    :: head != CLOSED ->
#else
    :: true -> /* fault: no look at whether it is closed */
#endif
#ifndef LINK_AFTER_SEND
        link_to_head();
#endif
#ifdef PLAIN_STORE_SEND
        store(me, HEAD, node, RELEASE); /* fault: no compare-and-swap */
        note_send();
        sent = true;
#else
        atomic {
            /* mpsc.hpp, send(): while (!head_.compare_exchange_weak(head, node, std::memory_order_release, */
            compare_exchange(me, HEAD, head, node, SEND_ORDER, RELAXED, sent);
            if
            :: sent -> note_send()
            :: else
            fi
        }
#endif
        if
        :: sent ->
#ifdef LINK_AFTER_SEND
            link_to_head(); /* fault: the link is written when the node is out */
#endif
            break
        :: else
        fi
    od
}

proctype sender(byte me) {
    byte letter = 1;
    byte node, head, away;
    bool sent;
    do
    :: letter <= LETTERS ->
        node = (me - 1) * NODES_EACH + 1 + (letter - 1) % NODES_EACH;
#ifdef REUSE
        do
        :: /* flag.hpp, is_down_acquire(): return !up_.load(std::memory_order_acquire); */
            load(me, AWAY(node), ACQUIRE, away);
            if
            :: away == 0 -> break
            :: else
            fi
        od;
        /* flag.hpp, put_up(): return !up_.exchange(true, std::memory_order_acq_rel); */
        exchange(me, AWAY(node), 1, ACQ_REL, away);
#endif
        /* medium.hpp, send_request(): l.contents = t; */
        store(me, CONTENTS(node), letter, PLAIN);
        /* medium.hpp, send_request(): if (!victim.letters.send(&l)) return false; */
        send();
#ifdef REUSE
        if
        :: !sent -> /* flag.hpp, take_down(): up_.store(false, std::memory_order_release); */
            store(me, AWAY(node), 0, RELEASE)
        :: else
        fi;
#endif
        letter++
    :: else -> break
    od;
    finished++
}

/* --- the receiver ----------------------------------------------------------------------------- */

byte ready; /* mpsc.hpp, ready_; the receiver's own */

inline append(stack) {
#ifdef NO_REVERSAL
    fifo = stack; /* fault: the newest comes first */
#else
    fifo = NONE;
    do
    :: stack != NONE ->
        /* mpsc.hpp, append(): Node* older = stack->*Next; */
        load(RECEIVER, NEXT(stack), PLAIN, older);
        /* mpsc.hpp, append(): stack->*Next = fifo; */
        store(RECEIVER, NEXT(stack), fifo, PLAIN);
        fifo = stack;
        stack = older
    :: else -> break
    od;
#endif
    end_node = NONE;
    older = ready;
    do
    :: older != NONE ->
        end_node = older;
        /* mpsc.hpp, append(): while (*end != nullptr) end = &((*end)->*Next); */
        load(RECEIVER, NEXT(end_node), PLAIN, older)
    :: else -> break
    od;
    if
    :: end_node == NONE -> ready = fifo
    :: else -> /* mpsc.hpp, append(): *end = fifo; */
        store(RECEIVER, NEXT(end_node), fifo, PLAIN)
    fi;
    fifo = NONE;
    end_node = NONE;
    older = NONE;
    head = NONE
}

inline receive() {
    if
    :: ready == NONE ->
        /* mpsc.hpp, receive(): Node* head = head_.load(std::memory_order_relaxed); */
        load(RECEIVER, HEAD, RELAXED, head);
        if
        :: head == NONE || head == CLOSED -> head = NONE
        :: else ->
            /* mpsc.hpp, receive(): append(head_.exchange(nullptr, std::memory_order_acquire)); */
            exchange(RECEIVER, HEAD, NONE, TAKE_ORDER, head);
            append(head)
        fi
    :: else
    fi;
    node = ready;
    if
    :: node != NONE -> /* mpsc.hpp, receive(): if (node != nullptr) ready_ = node->*Next; */
        load(RECEIVER, NEXT(node), PLAIN, ready)
    :: else
    fi
}

inline check_and_return() {
    if
    :: node != NONE ->
        /* medium.hpp, receive_request(): return l->contents; */
        load(RECEIVER, CONTENTS(node), PLAIN, letter);
        assert(nempty(line));
        line ? first_node, first_letter;
        assert(node == first_node && letter == first_letter);
#ifdef REUSE
        /* flag.hpp, take_down(): up_.store(false, std::memory_order_release); */
        store(RECEIVER, AWAY(node), 0, RETURN_ORDER);
#endif
        letter = 0;
        first_node = NONE;
        first_letter = 0
    :: else
    fi
}

inline close() {
#ifdef PLAIN_STORE_CLOSE
    load(RECEIVER, HEAD, ACQUIRE, head); /* fault: no exchange */
    store(RECEIVER, HEAD, CLOSED, RELEASE);
    is_open = false;
#else
    atomic {
        /* mpsc.hpp, close(): Node* head = head_.exchange(closed(), std::memory_order_acquire); */
        exchange(RECEIVER, HEAD, CLOSED, CLOSE_ORDER, head);
        is_open = false
    }
#endif
    if
    :: head != CLOSED -> append(head) /* mpsc.hpp, close(): if (head != closed()) append(head); */
    :: else -> head = NONE
    fi
}

inline open() {
#ifdef OPEN_ALWAYS
    head = CLOSED; /* fault: no look at whether it is open already */
#else
    /* mpsc.hpp, open(): if (head_.load(std::memory_order_relaxed) == closed()) */
    load(RECEIVER, HEAD, RELAXED, head);
#endif
    if
    :: head == CLOSED ->
        atomic {
            /* mpsc.hpp, open(): head_.store(nullptr, std::memory_order_relaxed); */
            store(RECEIVER, HEAD, NONE, RELAXED);
            is_open = true
        }
    :: else
    fi;
    head = NONE
}

/* worker.hpp, go_to_sleep(): m.close_mailbox(); */
inline close_and_drain() {
    close();
    do
    :: /* worker.hpp, go_to_sleep(): while (const std::optional<letter> t = m.receive_request()) */
        receive();
        check_and_return();
        if
        :: node == NONE -> break
        :: else
        fi
    od;
    assert(empty(line))
}

proctype receiver() {
    byte node, letter, head, older, fifo, end_node, first_node, first_letter, closings;
    do
    :: receive(); check_and_return()
    :: closings < CLOSINGS ->
        closings++;
        close_and_drain();
        open() /* worker.hpp, open_where_it_is_a_victim(): m.open_mailbox(); */
    :: closings < CLOSINGS -> /* worker.hpp, enter(): m.open_mailbox(); */
        closings++;
        open()
    :: finished == SENDERS -> close_and_drain(); break
    od
}

init {
    byte i;
    atomic {
        do
        :: i < THREADS -> run drain(i); i++
        :: else -> break
        od;
        i = 1;
        do
        :: i < THREADS -> run sender(i); i++
        :: else -> break
        od;
        i = 0;
        run receiver()
    }
}
