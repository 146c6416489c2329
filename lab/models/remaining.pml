/* How many parts are not done yet: PARTS threads have one each. Thread 0 adds one while its own is not done,
 * and hands it to the thread after the others.
 *
 * Claims: exactly one learns that none is left; it learns so when all are done, and sees what was done in
 * each of them. */
#ifndef PARTS
#define PARTS 2
#endif

#define THREADS (PARTS + 1)
#define LOCATIONS (THREADS + 2)
#define LAGGING THREADS
#define BUFFER 3
#include "store_buffers.pml"

#define LEFT 0
#define HANDED_OVER 1
#define RESULT(part) (2 + (part)) /* no atomic */

#if defined(NO_RELEASE_DONE)
#define DONE_ORDER ACQUIRE
#elif defined(NO_ACQUIRE_DONE)
#define DONE_ORDER RELEASE
#else
#define DONE_ORDER ACQ_REL
#endif

/* For the claims alone. */
byte parts_done, learned, finished;

inline add() {
#ifdef PLAIN_ADD
    load(me, LEFT, SEQ_CST, now); /* fault: a part that is done in between counts again */
    store(me, LEFT, now + 1, RELEASE) /* fault: the same */
#else
    /* remaining.hpp, add(): parts_.fetch_add(parts, std::memory_order_relaxed); */
    fetch_add(me, LEFT, 1, RELAXED, now)
#endif
}

inline hand_over() {
    /* spsc.hpp, send(): value_.store(value, std::memory_order_release); */
    store(me, HANDED_OVER, 1, RELEASE)
}

inline done() {
#ifdef PLAIN_DONE
    load(me, LEFT, SEQ_CST, now); /* fault: another may be done in between */
    parts_done++;
    store(me, LEFT, now - 1, RELEASE); /* fault: the same */
#else
    atomic {
        /* remaining.hpp, done(): return parts_.fetch_sub(1, std::memory_order_acq_rel) == 1; */
        fetch_add(me, LEFT, 255, DONE_ORDER, now);
        parts_done++
    }
#endif
#ifdef LOOK_AGAIN
    load(me, LEFT, SEQ_CST, now); /* fault: so does another, after both are done */
    now++;
#endif
    if
    :: now == 1 ->
        atomic {
            learned++;
            assert(learned == 1 && parts_done == THREADS)
        }
        do
        :: part < THREADS ->
            /* round.hpp, collect(): for (const row<Out>& some : outputs) */
            load(me, RESULT(part), PLAIN, now);
            assert(now == 1);
            part++
        :: else -> break
        od
    :: else
    fi
}

proctype worker(byte me) {
    byte now, part;
    if
    :: me == PARTS ->
        do
        :: /* spsc.hpp, receive(): T* value = value_.load(std::memory_order_acquire); */
            load(me, HANDED_OVER, ACQUIRE, now);
            if
            :: now != 0 -> break
            :: else
            fi
        od
    :: else
    fi;
    /* lane.hpp, serve_one(): work(std::move(*o->item), o->of->outputs[o->part]); */
    store(me, RESULT(me), 1, PLAIN);
#ifdef ADD_AFTER_DONE
    done();
#endif
    if
    :: me == 0 ->
#ifdef ADD_AFTER_HAND_OVER
        hand_over();
#endif
        add(); /* feedback.hpp, take_apart(): round_with(b).add(again.size()); */
#ifndef ADD_AFTER_HAND_OVER /* fault: the part may be done before it counts */
        hand_over() /* feedback.hpp, take_apart(): again_->accept(*one.release(), giver::keeps_apart); */
#endif
    :: else
    fi;
#ifndef ADD_AFTER_DONE /* fault: by then all may be done */
    done(); /* lane.hpp, serve_one(): if (r.done()) owner_.collected(r.collect(flow_), from); */
#endif
    atomic {
        finished++;
        if
        :: finished == THREADS -> assert(learned == 1)
        :: else
        fi
    }
}

init {
    byte i;
    atomic {
        memory[LEFT] = PARTS;
#ifdef WITH_COPIES
        do
        :: i < LAGGING -> copy[i].at[LEFT] = PARTS; i++
        :: else -> break
        od;
        i = 0;
#endif
        do
        :: i < THREADS -> run drain(i); run worker(i); i++
        :: else -> break
        od;
        i = 0
    }
}
