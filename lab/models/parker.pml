/* The attention word and the parker on it: an owner that sleeps, threads that raise bits, a kernel that
 * wakes for no reason, too.
 *
 * Thread 0 owns the word. Threads 1 .. WAKERS each make ROUNDS facts true (as an answer is put into the
 * task channel), and raise a waking bit and wake after each. Thread WAKERS + 1 raises a bit that is no
 * waking bit, sometimes by the call that wakes.
 *
 * Claims:
 *   - no wake-up is lost: the owner never sleeps in the kernel with a fact true that it does not know
 *     and nobody left who will do anything;
 *   - no bit is wiped out: what raise() has set stays until the owner lowers it;
 *   - with FOREVER (facts without end, as ltl): `noticed`: every fact is noticed some time;
 *     `idle_sleeps`: when the others do nothing any more, the owner sleeps in the kernel for good. */
#ifndef WAKERS
#define WAKERS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef MAILS
#define MAILS 1
#endif
#ifndef SPURIOUS
#define SPURIOUS 1 /* at most so many returns of the kernel for no reason */
#endif

#define THREADS (WAKERS + 2)
#define LOCATIONS (WAKERS + 1)
#ifndef LAGGING
#define LAGGING 1 /* the owner */
#endif
#define BUFFER 2
#include "store_buffers.pml"

#define OWNER 0
#define MAILER (WAKERS + 1)
#define WORD 0
#define FACT(waker) (waker)

#define TASKS 1  /* bits.hpp, a waking bit */
#define MAIL 2   /* bits.hpp, not a waking bit */
#define ASLEEP 4 /* attention.hpp, asleep */
#define WAKING TASKS

#ifdef RELAXED_RAISE
#define RAISE_ORDER RELAXED
#else
#define RAISE_ORDER SEQ_CST
#endif
#ifdef RELAXED_OWNER
#define OWNER_ORDER RELAXED
#else
#define OWNER_ORDER SEQ_CST
#endif

/* For the claims alone. */
bool mail_owed;
byte made[WAKERS + 1];  /* the last fact of each waker */
byte known[WAKERS + 1]; /* the last one that the owner has noticed */
#define OWED(waker) (made[waker] != known[waker])
byte others; /* threads beside the owner, and the kernel, that may still do something */

/* --- the kernel ------------------------------------------------------------------------------- */

bool waiting; /* the owner is in FUTEX_WAIT; at most one thread waits on a word */

inline futex_wait(expected) {
    /* The kernel compares and queues under a lock, which is a full barrier. */
    atomic {
        pending[OWNER].length == 0;
        if
#ifdef NO_COMPARE
        :: true -> waiting = true /* fault: does not compare */
#else
        :: memory[WORD] == expected -> waiting = true
        :: memory[WORD] != expected
#endif
        fi
    }
    !waiting
}

inline futex_wake(thread) {
    atomic {
        pending[thread].length == 0;
        waiting = false
    }
}

proctype kernel() {
    byte spurious;
    do
    :: spurious < SPURIOUS && waiting -> atomic { waiting = false; spurious++ }
    :: break
    od;
    others--
}

/* --- those who raise -------------------------------------------------------------------------- */

inline raise(thread, bits) {
#ifdef PLAIN_RAISE
    load(thread, WORD, RELAXED, old); /* fault: no read-modify-write */
    store(thread, WORD, old | (bits), RELEASE);
#else
    atomic {
        /* attention.hpp, raise(): return word_.fetch_or(which, std::memory_order_seq_cst); */
        fetch_or(thread, WORD, bits, RAISE_ORDER, old);
        mail_owed = mail_owed || (((bits) & MAIL) != 0)
    }
#endif
}

inline raise_and_wake(thread, bits) {
#ifdef WAKE_BEFORE_RAISE
    load(thread, WORD, SEQ_CST, old); /* fault: looks who sleeps before it raises */
    if
    :: (old & ASLEEP) != 0 -> futex_wake(thread)
    :: else
    fi;
    raise(thread, bits)
#else
    /* attention.hpp, raise_and_wake(): if ((raise(which) & asleep) != 0) wake(); */
    raise(thread, bits);
#ifndef NO_WAKE
    if
    :: (old & ASLEEP) != 0 -> futex_wake(thread)
    :: else
    fi
#endif
#endif
}

/* worker.hpp, answer(): m.send_tasks(r, m.wish(r)); */
inline make_true() {
    atomic {
        /* spsc.hpp, send(): value_.store(value, std::memory_order_release); */
        store(me, FACT(me), fact, RELEASE);
        made[me] = fact
    }
}

proctype waker(byte me) {
    byte fact = 1;
    byte old;
    do
#ifdef FOREVER
    :: !OWED(me) ->
#else
    :: fact <= ROUNDS ->
#endif
#ifndef RAISE_BEFORE_FACT
        make_true();
#endif
        /* worker.hpp, answer(): m.raise_and_wake(thief_of(r), bits::tasks); */
        raise_and_wake(me, TASKS);
#ifdef RAISE_BEFORE_FACT
        make_true(); /* fault: too late */
#endif
#ifdef FOREVER
        fact = 1 - fact
    :: break
#else
        fact++
    :: else -> break
#endif
    od;
    others--
}

proctype mailer(byte me) {
    byte mails, old;
    do
    :: mails < MAILS ->
        mails++;
        if
        :: /* medium.hpp, send_request(): victim.attention.raise(protocol::bits::mail); */
            raise(me, MAIL)
        :: /* nobody does that today; it would be allowed */
            raise_and_wake(me, MAIL)
        fi
    :: mails >= MAILS -> break
#ifdef FOREVER
    :: break
#endif
    od;
    others--
}

/* --- the owner -------------------------------------------------------------------------------- */

/* worker.hpp, receive(): !m.tasks_arrived(r) */
inline look() {
    waker_number = 1;
    found = false;
    do
    :: waker_number <= WAKERS ->
        atomic {
            /* spsc.hpp, peek(): return value_.load(std::memory_order_acquire) != nullptr; */
            load(OWNER, FACT(waker_number), ACQUIRE, fact);
            if
            :: fact != known[waker_number] ->
                known[waker_number] = fact;
                found = true
            :: else
            fi;
            fact = 0
        }
        waker_number++
    :: else -> break
    od;
    waker_number = 0
}

inline lower(bits) {
#ifdef PLAIN_LOWER
    load(OWNER, WORD, RELAXED, old); /* fault: no read-modify-write */
    store(OWNER, WORD, old & (255 - (bits)), RELEASE);
    mail_owed = mail_owed && (((bits) & MAIL) == 0)
#else
    atomic {
        /* attention.hpp, lower(): word_.fetch_and(~which, std::memory_order_seq_cst); */
        fetch_and_not(OWNER, WORD, bits, OWNER_ORDER);
        mail_owed = mail_owed && (((bits) & MAIL) == 0)
    }
#endif
}

inline serve() {
    atomic {
        /* attention.hpp, get(): return word_.load(std::memory_order_seq_cst); */
        load(OWNER, WORD, SEQ_CST, seen);
        assert(!mail_owed || (seen & MAIL) != 0)
    }
#ifndef NO_LOWER
    if
    :: (seen & TASKS) != 0 -> /* worker.hpp, serve(): m.lower(seen & (bits::tasks | bits::news)); */
        lower(TASKS)
    :: else
    fi;
#endif
    if
    :: (seen & MAIL) != 0 -> /* worker.hpp, serve_mail(): m.lower(bits::mail); */
        lower(MAIL)
    :: else
    fi
}

inline prepare() {
    /* attention.hpp, prepare(): attention::bits seen = word_.load(std::memory_order_relaxed); */
    load(OWNER, WORD, RELAXED, seen);
    marked = false;
#ifdef PLAIN_PREPARE
    if
    :: (seen & WAKING) == 0 ->
        store(OWNER, WORD, seen | ASLEEP, RELEASE); /* fault: no read-modify-write */
        marked = true
    :: else
    fi
#else
    do
    :: (seen & WAKING) != 0 -> break /* attention.hpp, prepare(): if ((seen & waking_) != 0) return false; */
    :: (seen & WAKING) == 0 ->
        /* attention.hpp, prepare(): !word_.compare_exchange_weak(seen, seen | attention::asleep, std::memory_order_seq_cst, std::memory_order_relaxed) */
        compare_exchange(OWNER, WORD, seen, seen | ASLEEP, OWNER_ORDER, RELAXED, marked);
        if
        :: marked -> break
        :: else
        fi
    od
#endif
}

inline cancel() {
#ifdef PLAIN_CANCEL
    load(OWNER, WORD, RELAXED, old); /* fault: no read-modify-write */
    store(OWNER, WORD, old & (255 - ASLEEP), RELEASE)
#else
    /* attention.hpp, cancel(): word_.fetch_and(~attention::asleep, std::memory_order_seq_cst); */
    fetch_and_not(OWNER, WORD, ASLEEP, OWNER_ORDER)
#endif
}

inline commit() {
    do
    :: /* attention.hpp, commit(): const attention::bits seen = word_.load(std::memory_order_acquire); */
        load(OWNER, WORD, ACQUIRE, seen);
        if
        :: (seen & WAKING) != 0 -> break /* attention.hpp, commit(): if ((seen & waking_) != 0) break; */
        :: else -> /* attention.hpp, commit(): futex_wait(word_, seen); */
            futex_wait(seen)
        fi
    od;
    cancel() /* attention.hpp, commit(): cancel(); */
}

/* That the time is over is not modelled: nothing may depend on it. */
inline commit_for() {
    /* attention.hpp, commit_for(): const attention::bits seen = word_.load(std::memory_order_acquire); */
    load(OWNER, WORD, ACQUIRE, seen);
    if
    :: (seen & WAKING) == 0 -> /* attention.hpp, commit_for(): futex_wait_for(word_, seen, longest); */
        futex_wait(seen)
    :: else
    fi;
    cancel() /* attention.hpp, commit_for(): cancel(); */
}

#ifdef FOREVER
#define ALL_KNOWN false
#else
#define ALL_KNOWN (known[1] == ROUNDS && (WAKERS == 1 || known[WAKERS] == ROUNDS))
#endif

/* What the wait loop does without a task: seek, then sleep; the spinning before it changes nothing. */
proctype owner() {
    byte fact, waker_number, seen, old;
    bool found, marked;
    do
    :: ALL_KNOWN -> break
    :: !ALL_KNOWN ->
        look();  /* worker.hpp, seek(): if (receive(m)) return true; */
        serve(); /* worker.hpp, seek(): serve(m, having::nothing); */
        prepare(); /* worker.hpp, go_to_sleep(): if (!m.prepare_to_sleep()) */
        if
        :: marked ->
#ifdef CHECK_BEFORE_PREPARE
            found = false; /* fault: the look before the word was marked must do */
#else
            look(); /* own_requests.hpp, anything_arrived(): m.tasks_arrived(own(slot)) */
#endif
            if
            :: found -> cancel() /* worker.hpp, wake_up(): m.cancel_sleep(); */
            :: !found -> commit() /* watching.hpp, sleep_watching(): m.sleep(); */
            :: !found -> commit_for() /* sleeping.hpp, sleep_as_is_right(): m.sleep_for(std::max(h.policy().stealing_pays.left(now), h.policy().backoff.left(now))); */
            fi
        :: else
        fi
    od
}

#ifndef FOREVER
/* When nobody will do anything any more and the owner sleeps, it must know all facts. It is then let go,
 * to end. */
proctype judge() {
end:
    do
    :: d_step { others == 0 && waiting -> assert(ALL_KNOWN); waiting = false }
    od
}
#endif

init {
    byte i;
    atomic {
        others = WAKERS + 2;
        do
        :: i < THREADS -> run drain(i); i++
        :: else -> break
        od;
        i = 1;
        do
        :: i <= WAKERS -> run waker(i); i++
        :: else -> break
        od;
        i = 0;
        run mailer(MAILER);
#ifndef FOREVER
        run judge();
#endif
        run kernel();
        run owner()
    }
}

#ifdef FOREVER
ltl noticed { [] (OWED(1) -> <> !OWED(1)) }
ltl idle_sleeps { (<> [] (others == 0)) -> (<> [] waiting) }
#endif
