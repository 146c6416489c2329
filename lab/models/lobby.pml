/* The lobby and its bell: requests that rest, workers that look when their bit is up, and two objects
 * whose order matters (the lobby's word and each worker's attention word).
 *
 * Threads 0 .. TAKERS-1 are workers that take what rests; all but thread 0 may go away at any moment.
 * The DEPOSITORS after them each put their request to rest ROUNDS times, again when it was taken.
 *
 * Claims: no request is taken twice or was not there; worker 0, which looks whenever its bit is up, is
 * always rung (I9): it never waits with its bit down while a request rests and everybody else has done
 * what it does (an invalid end state). */
#ifndef TAKERS
#define TAKERS 2
#endif
#ifndef DEPOSITORS
#define DEPOSITORS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

#define THREADS (TAKERS + DEPOSITORS)
#define LOCATIONS (TAKERS + 1)
#define LAGGING TAKERS
#define BUFFER 2
#include "store_buffers.pml"

#define LOBBY 0
#define WORD(taker) ((taker) + 1)
#define BELL 1 /* bits.hpp, lobby */
#define MASK(number) (1 << (number))

#ifdef RELAXED_TAKER
#define TAKER_ORDER RELAXED
#else
#define TAKER_ORDER SEQ_CST
#endif

/* For the claims alone. */
bool rests[DEPOSITORS];
byte taken;

inline ring() {
    /* own_requests.hpp, ring(): m.raise(w, bits::lobby); */
    taker_number = 0;
    do
    :: taker_number < TAKERS ->
        /* attention.hpp, raise(): word_.fetch_or(which, std::memory_order_seq_cst) */
        fetch_or(me, WORD(taker_number), BELL, SEQ_CST, old);
        taker_number++
    :: else -> break
    od;
    taker_number = 0
}

proctype depositor(byte me) {
    byte round, seen, old, taker_number;
    do
    :: round < ROUNDS ->
        rests[me - TAKERS] = true;
#ifdef RING_BEFORE_DEPOSIT
        ring(); /* fault: who looks because of the bell finds nothing yet */
#endif
#ifdef PLAIN_DEPOSIT
        load(me, LOBBY, SEQ_CST, seen); /* fault: wipes out what others do in between */
        store(me, LOBBY, seen | MASK(me - TAKERS), SEQ_CST); /* fault: the same */
#else
        /* lobby.hpp, deposit(): fetch_or(mask(request), std::memory_order_seq_cst) == 0 */
        fetch_or(me, LOBBY, MASK(me - TAKERS), SEQ_CST, seen);
#endif
        if
#ifndef RING_BEFORE_DEPOSIT
        :: seen == 0 -> ring() /* own_requests.hpp, rest(): if (m.deposit(own())) ring(m); */
#endif
        :: else
        fi;
        !rests[me - TAKERS];
        round++
    :: else -> break
    od
}

/* One try to take the lowest number; `seen` is what was there. */
inline take() {
    /* lobby.hpp, take_from(): word(w).load(std::memory_order_seq_cst) & searched */
    load(me, LOBBY, SEQ_CST, seen);
    number = 0;
    do
    :: number < DEPOSITORS && (seen & MASK(number)) == 0 -> number++
    :: else -> break
    od;
    if
    :: number < DEPOSITORS ->
#ifdef PLAIN_TAKE
        store(me, LOBBY, seen - MASK(number), SEQ_CST); /* fault: wipes out a deposit in between */
        old = seen;
#else
        /* lobby.hpp, take_from(): word(w).fetch_and(~mask(number), std::memory_order_seq_cst) */
        fetch_and(me, LOBBY, MASK(number), SEQ_CST, old);
#endif
        if
        :: (old & MASK(number)) != 0 ->
            d_step { /* lobby.hpp, take_from(): if ((old & mask(number)) != 0) return number; */
                assert(rests[number]);
                rests[number] = false;
                taken++
            }
        :: else
        fi
    :: else
    fi;
    number = 0
}

proctype taker(byte me) {
    byte seen, old, number;
    do
    :: taken == DEPOSITORS * ROUNDS -> break
    :: me != 0 -> break
    :: memory[WORD(me)] != 0 ->
        /* attention.hpp, any(): word_.load(std::memory_order_relaxed) */
        load(me, WORD(me), RELAXED, seen);
        do
        :: seen == 0 -> break
        :: else ->
            take(); /* worker.hpp, feed_lobby(): m.take_resting() */
            if
            :: seen == 0 ->
#ifdef LOOK_BEFORE_LOWER
                load(me, LOBBY, TAKER_ORDER, seen); /* fault: a deposit after this rings in vain */
#endif
#ifdef PLAIN_LOWER
                store(me, WORD(me), 0, SEQ_CST); /* fault: reaches memory after the look below */
#else
                /* worker.hpp, feed_lobby(): m.lower(bits::lobby); */
                /* attention.hpp, lower(): word_.fetch_and(~which, std::memory_order_seq_cst); */
                fetch_and_not(me, WORD(me), BELL, TAKER_ORDER);
#endif
#if !defined(LOOK_BEFORE_LOWER) && !defined(NO_SECOND_LOOK)
                /* worker.hpp, feed_lobby(): if (m.lobby_empty()) return; */
                /* lobby.hpp, empty(): word(w).load(std::memory_order_seq_cst) != 0 */
                load(me, LOBBY, TAKER_ORDER, seen);
#endif
                if
                :: seen != 0 ->
                    /* worker.hpp, feed_lobby(): m.raise(self_, bits::lobby); */
                    fetch_or(me, WORD(me), BELL, SEQ_CST, old)
                :: else
                fi
            :: else
            fi
        od
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
        :: i < TAKERS -> run taker(i); i++
        :: i >= TAKERS && i < THREADS -> run depositor(i); i++
        :: i >= THREADS -> break
        od;
        i = 0
    }
}
