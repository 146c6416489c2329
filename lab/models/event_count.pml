/* The event count, on which threads that are no workers sleep: threads 0 .. WAITERS-1 wait for all facts,
 * the SENDERS after them each make one fact true ROUNDS times and notify.
 *
 * Claim: no wake-up is lost: everybody ends (a sleeper that nobody wakes is an invalid end state). */
#ifndef WAITERS
#define WAITERS 2
#endif
#ifndef SENDERS
#define SENDERS 1
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

#define THREADS (WAITERS + SENDERS)
#define LOCATIONS (SENDERS + 2)
#define LAGGING WAITERS
#define BUFFER 2
#include "store_buffers.pml"

#define EPOCH 0
#define WAITING 1
#define FACT(sender) (2 + (sender) - WAITERS)

#ifdef RELAXED_NOTIFY
#define NOTIFY_ORDER RELAXED
#else
#define NOTIFY_ORDER ACQ_REL
#endif
#ifdef RELAXED_PREPARE
#define PREPARE_ORDER RELAXED
#define TICKET_ORDER RELAXED
#else
#define PREPARE_ORDER ACQ_REL
#define TICKET_ORDER ACQUIRE
#endif

bool asleep[WAITERS]; /* in the kernel */

inline wake_all() {
    atomic {
        pending[me].length == 0;
        d_step {
            waiter_number = 0;
            do
            :: waiter_number < WAITERS -> asleep[waiter_number] = false; waiter_number++
            :: else -> break
            od;
            waiter_number = 0
        }
    }
}

inline notify() {
#ifdef PLAIN_LOAD_IN_NOTIFY
    load(me, WAITING, SEQ_CST, seen); /* fault: done before the fact has left the buffer */
#else
    /* event_count.hpp, notify(): if (waiters_.fetch_add(0, std::memory_order_acq_rel) == 0) return; */
    fetch_add(me, WAITING, 0, NOTIFY_ORDER, seen);
#endif
    if
    :: seen != 0 ->
#ifndef NO_NEW_EPOCH
        /* event_count.hpp, notify(): epoch_.fetch_add(1, std::memory_order_acq_rel); */
        fetch_add(me, EPOCH, 1, NOTIFY_ORDER, seen);
#endif
        wake_all() /* event_count.hpp, notify(): futex_wake(epoch_, 1 << 30); */
    :: else
    fi
}

proctype sender(byte me) {
    byte round = 1;
    byte seen, waiter_number;
    do
    :: round <= ROUNDS ->
        /* oneshot.hpp, send(): word_.store(static_cast<std::uintptr_t>(result), std::memory_order_release); */
        store(me, FACT(me), round, RELEASE);
        notify(); /* seats.cpp, tell_of_seat(): outside_.notify(); */
        round++
    :: else -> break
    od
}

inline look() {
    fact = 0;
    sender_number = WAITERS;
    do
    :: sender_number < THREADS ->
        /* seats.cpp, wait_for_seat(): seat = free_seat() */
        load(me, FACT(sender_number), ACQUIRE, fact);
        if
        :: fact != ROUNDS -> break
        :: else
        fi;
        sender_number++
    :: else -> break
    od;
    sender_number = 0
}

inline wait() {
    /* event_count.hpp, wait(): futex_wait(epoch_, ticket); */
    atomic {
        pending[me].length == 0;
        asleep[me] = (memory[EPOCH] == ticket)
    }
    !asleep[me]; /* a return for no reason would only hide a lost wake-up */
    /* event_count.hpp, wait(): cancel(); */
    cancel()
}

inline cancel() {
    /* event_count.hpp, cancel(): waiters_.fetch_sub(1, std::memory_order_relaxed); */
    fetch_add(me, WAITING, 255, RELAXED, seen)
}

inline prepare() {
#ifndef TICKET_AFTER_LOOK
    /* event_count.hpp, prepare(): const std::uint32_t ticket = epoch_.load(std::memory_order_acquire); */
    load(me, EPOCH, TICKET_ORDER, ticket);
#endif
    /* event_count.hpp, prepare(): waiters_.fetch_add(1, std::memory_order_acq_rel); */
    fetch_add(me, WAITING, 1, PREPARE_ORDER, seen)
}

proctype waiter(byte me) {
    byte fact, sender_number, ticket, seen;
    do
    :: look(); /* seats.cpp, wait_for_seat(): while (seat == nullptr) */
        if
        :: fact == ROUNDS -> break
        :: else
        fi;
        prepare(); /* seats.cpp, wait_for_seat(): const std::uint32_t ticket = outside_.prepare(); */
        look(); /* seats.cpp, wait_for_seat(): seat = free_seat(); */
        if
        :: fact == ROUNDS -> cancel(); break /* seats.cpp, wait_for_seat(): outside_.cancel(); */
        :: else
        fi;
#ifdef TICKET_AFTER_LOOK
        load(me, EPOCH, ACQUIRE, ticket); /* fault: a notify() between the look and this is missed */
#endif
        wait() /* seats.cpp, wait_for_seat(): outside_.wait(ticket); */
    od
}

init {
    byte i;
    atomic {
        do
        :: i < THREADS -> run drain(i); i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < WAITERS -> run waiter(i); i++
        :: i >= WAITERS && i < THREADS -> run sender(i); i++
        :: i >= THREADS -> break
        od;
        i = 0
    }
}
