/* The turn to serve an inbox, as an actor uses it: threads 0 .. SENDERS-1 put PARCELS_EACH parcels each into
 * the ring of the inbox and call; whoever gets the turn by that serves. The parcels have the numbers of one
 * order, so some come too early: whoever serves then finds nothing, and leaves.
 *
 * Claims:
 *   - one at a time serves;
 *   - it sees what the last one did (`next_`, which is no atomic): nothing is taken twice or out of order;
 *   - when everybody has gone, nothing is left in the ring.
 * `serving` and `handled` exist for the claims alone. */
#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef PARCELS_EACH
#define PARCELS_EACH 2
#endif

#define PARCELS (SENDERS * PARCELS_EACH)
#define THREADS SENDERS
#define LOCATIONS (PARCELS + 3)
#define LAGGING SENDERS /* any of them may serve */
#define BUFFER 3
#include "store_buffers.pml"

#define STATE 0
#define NEXT 1
#define PLACE(number) (2 + (number)) /* the one after the last parcel's stays empty */

#define FREE 0
#define TAKEN 1
#define CALLED 2

#if defined(NO_RELEASE_CALL)
#define CALL_ORDER ACQUIRE
#elif defined(NO_ACQUIRE_CALL)
#define CALL_ORDER RELEASE
#else
#define CALL_ORDER ACQ_REL
#endif
#if defined(NO_RELEASE_LEAVE)
#define LEAVE_ORDER ACQUIRE
#elif defined(NO_ACQUIRE_LEAVE)
#define LEAVE_ORDER RELEASE
#else
#define LEAVE_ORDER ACQ_REL
#endif

byte serving;
byte handled;
byte finished;

inline begins() {
    d_step {
        serving++;
        assert(serving == 1)
    }
}

inline put() {
    /* actor.hpp, put(): else ring_[p.number & mask_].send(&p); */
    /* spsc.hpp, send(): value_.store(value, std::memory_order_release); */
    store(me, PLACE(number), 1, RELEASE)
}

/* `has_turn` says what call() says. */
inline call() {
    seen = FREE;
#ifdef PLAIN_CALL
    load(me, STATE, ACQUIRE, seen); /* fault: another may do the same before the store arrives */
    has_turn = (seen == FREE);
    if
    :: has_turn ->
        store(me, STATE, TAKEN, RELEASE); /* fault: the same */
        begins()
    :: else
    fi;
#else
    atomic {
        /* turn.hpp, call(): state_.compare_exchange_strong(seen, taken, std::memory_order_acq_rel, */
        compare_exchange(me, STATE, seen, TAKEN, CALL_ORDER, RELAXED, has_turn);
        if
        :: has_turn -> begins()
        :: else
        fi
    }
#endif
#ifndef NO_CALLED /* fault: whoever has the turn may have looked for the last time */
    if
    :: !has_turn ->
        atomic {
            /* turn.hpp, call(): return state_.exchange(called, std::memory_order_acq_rel) == free; */
            exchange(me, STATE, CALLED, CALL_ORDER, seen);
#ifndef NO_SECOND_CHANCE /* fault: whoever had the turn has left it in between */
            if
            :: seen == FREE ->
                has_turn = true;
                begins()
            :: else
            fi
#endif
        }
    :: else
    fi;
#endif
    seen = FREE
}

/* `has_turn` says whether it is to serve once more. */
inline leave_turn() {
    seen = TAKEN;
#if defined(LEAVE_ALWAYS)
    serving--;
    has_turn = false;
    store(me, STATE, FREE, RELEASE); /* fault: no look at whether it was called */
#elif defined(PLAIN_LEAVE)
    load(me, STATE, ACQUIRE, seen); /* fault: a call() between the two is wiped out */
    has_turn = (seen != TAKEN);
    if
    :: !has_turn ->
        serving--;
        store(me, STATE, FREE, RELEASE) /* fault: the same */
    :: else
    fi;
#else
    atomic {
        /* turn.hpp, leave(): state_.compare_exchange_strong(seen, free, std::memory_order_acq_rel, */
        compare_exchange(me, STATE, seen, FREE, LEAVE_ORDER, RELAXED, left);
        has_turn = !left;
        if
        :: left -> serving--
        :: else
        fi;
        left = false
    }
#endif
    if
    :: has_turn ->
#ifdef FREE_AFTER_CALL
        exchange(me, STATE, FREE, LEAVE_ORDER, seen) /* fault: it looks again, but without the turn */
#else
        /* turn.hpp, leave(): (void)state_.exchange(taken, std::memory_order_acq_rel); */
        exchange(me, STATE, TAKEN, LEAVE_ORDER, seen)
#endif
    :: else
    fi;
    seen = FREE
}

/* `found` is the parcel, or 0. */
inline take() {
    load(me, NEXT, PLAIN, next); /* actor.hpp, take(): parcel* const p = ring_[next_ & mask_].receive(); */
    /* spsc.hpp, receive(): T* value = value_.load(std::memory_order_acquire); */
    load(me, PLACE(next), ACQUIRE, found);
    if
    :: found != 0 ->
        assert(next == handled);
        handled++;
        /* spsc.hpp, receive(): if (value != nullptr) value_.store(nullptr, std::memory_order_relaxed); */
        store(me, PLACE(next), 0, RELAXED);
        /* actor.hpp, take(): if (p != nullptr) ++next_; */
        store(me, NEXT, next + 1, PLAIN)
    :: else
    fi;
    next = 0
}

proctype sender(byte me) {
    byte round, number, seen, found, next;
    bool has_turn, left;
    do
    :: round < PARCELS_EACH ->
        number = round * SENDERS + me;
#ifndef CALL_BEFORE_PUT
        put(); /* actor.hpp, accept(): inbox_.put(p); */
#endif
        call(); /* actor.hpp, accept(): if (!turn_.call()) return; */
#ifdef CALL_BEFORE_PUT
        put(); /* fault: whoever has the turn does not see it yet */
#endif
        do
        :: has_turn ->
            take(); /* actor.hpp, serve(): while (parcel* const p = inbox_.take()) */
            if
            :: found != 0 -> found = 0
            :: else ->
                leave_turn(); /* actor.hpp, serve(): while (!turn_.leave()); */
#ifdef NO_SECOND_LOOK
                has_turn = false /* fault: leave() has said that it was called */
#endif
            fi
        :: else -> break
        od;
        number = 0;
        round++
    :: else -> break
    od;
    atomic {
        finished++;
        if
        :: finished == SENDERS -> assert(handled == PARCELS)
        :: else
        fi
    }
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
        :: i < THREADS -> run sender(i); i++
        :: else -> break
        od;
        i = 0
    }
}
