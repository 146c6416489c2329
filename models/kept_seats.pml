/* A seat that its keeper leaves between two words, with tasks in it, and those who collect them before they
 * sleep: channel/biased_lock.hpp and runtime/kept_seats.cpp.
 *
 * Thread 0 is the keeper. In each of ROUNDS words it makes a task or runs one, and then it is away. The
 * TAKERS after it are workers: each deposits its request, rings, collects, and sleeps until it is answered.
 * The WAITERS after them take jobs only: each raises `collects`, collects, and sleeps until there is a job.
 *
 * The barrier in all threads empties the buffer of one thread after the other, each at a moment of its own,
 * as the kernel does by an interrupt on each processor.
 *
 * Claims:
 *   - the keeper and those who collect are never in the seat at the same time, and whoever is in it sees
 *     what the one before has left there;
 *   - no task lies in the seat when the keeper is away for good and all others sleep, a worker among them.
 * Without a worker (TAKERS=0) the second one does not hold yet: the keeper lowers `collects` although a waiter
 * sleeps on, and then nothing asks it for what it makes in its next word. */
#ifndef TAKERS
#define TAKERS 1
#endif
#ifndef WAITERS
#define WAITERS 1
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

#define THREADS (1 + TAKERS + WAITERS)
#define LOCATIONS 7
#ifndef LAGGING
#define LAGGING THREADS
#endif
#define BUFFER 3
#include "store_buffers.pml"

#define KEEPER 0
#define INSIDE 0    /* biased_lock.hpp, inside_ */
#define WANTED 1    /* biased_lock.hpp, is_wanted_ */
#define OTHERS 2    /* biased_lock.hpp, others_ */
#define LEAVES 3    /* worker.hpp, leaves_tasks */
#define ATTENTION 4 /* the keeper's */
#define LOBBY 5     /* a bit for each worker that may sleep in it */
#define QUEUE 6     /* how many tasks are in the keeper's deque */

#define BELL 1     /* bits.hpp, lobby */
#define COLLECTS 2 /* bits.hpp, collects */
#define MASK(thread) (1 << ((thread) - 1))

#ifdef NO_RELEASE_LEAVE
#define LEAVE_ORDER RELAXED
#else
#define LEAVE_ORDER RELEASE
#endif
#ifdef NO_ACQUIRE_ENTER
#define ENTER_ORDER RELAXED
#else
#define ENTER_ORDER ACQUIRE
#endif
#ifdef NO_ACQUIRE_USE
#define USE_ORDER RELAXED
#else
#define USE_ORDER ACQUIRE
#endif

/* For the claims alone. */
byte holders;         /* threads in the seat */
byte left;            /* tasks in it */
bool is_away;         /* the keeper, for good */
bool asleep[THREADS]; /* for want of work */
bool is_over;

/* How a task reaches who rests, and a job who takes it, other models have (lobby.pml, handover.pml, parker.pml). */
bool answered[THREADS];
byte jobs;

/* --- the lock ----------------------------------------------------------------------------------- */

inline lock(thread) {
    atomic {
        memory[OTHERS] == 0 && MAY_LOCK(thread, OTHERS, ACQUIRE) ->
        /* biased_lock.hpp, use_if_left(): const std::scoped_lock guard(others_); */
        exchange(thread, OTHERS, 1, ACQUIRE, old);
        old = 0
    }
}
inline unlock(thread) {
    atomic {
        /* biased_lock.hpp, use_if_left(): const std::scoped_lock guard(others_); */
        exchange(thread, OTHERS, 0, RELEASE, old);
        old = 0
    }
}

/* An interrupt: what the thread has stored is in memory, and what it loads from now on is as new. */
inline interrupt(thread) {
    d_step {
        do
        :: pending[thread].length > 0 -> leave(thread, 0)
        :: else -> break
        od;
        has_seen(thread, OTHERS, memory[OTHERS], ACQUIRE)
    }
}

/* biased_lock.cpp, barrier_in_all_threads(): (void)membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED); */
inline barrier_in_all_threads(thread) {
#ifdef NO_BARRIER
    skip /* fault: as if the system had none */
#else
    interrupt(thread);
#ifndef BARRIER_HERE_ALONE /* fault: as a fence in the calling thread would be */
    do
    :: number < THREADS -> interrupt(number); number++
    :: else -> break
    od;
#endif
    number = 0
#endif
}

inline try_enter(entered) {
    /* biased_lock.hpp, try_enter(): inside_.store(true, std::memory_order_relaxed); */
    store(KEEPER, INSIDE, 1, RELAXED);
#ifdef NO_LOOK_FOR_OTHERS
    seen = 0; /* fault: enters whoever is there */
#else
    /* biased_lock.hpp, try_enter(): is_wanted_.load(std::memory_order_acquire) */
    load(KEEPER, WANTED, ENTER_ORDER, seen);
#endif
    entered = (seen == 0);
    if
    :: seen == 0
    :: else ->
        seen = 0;
        /* biased_lock.hpp, try_enter(): inside_.store(false, std::memory_order_release); */
        store(KEEPER, INSIDE, 0, RELEASE)
    fi
}

/* kept_seats.cpp, pause_in_time(): if (!seat.try_enter()) seat.enter(); */
inline enter() {
    try_enter(entered);
    if
    :: entered
    :: else ->
        lock(KEEPER);
        /* biased_lock.hpp, enter(): inside_.store(true, std::memory_order_relaxed); */
        store(KEEPER, INSIDE, 1, RELAXED);
        unlock(KEEPER)
    fi;
    entered = false
}

/* --- in the seat -------------------------------------------------------------------------------- */

inline sit(thread) {
    d_step { holders++; assert(holders == 1) }
    atomic {
        load(thread, QUEUE, PLAIN, queued); /* deque.hpp, empty(): tail_ == head_ */
        assert(queued == left)
    }
}
inline change_queue(thread, n) {
    atomic {
        store(thread, QUEUE, n, PLAIN); /* deque.hpp, push(): tail_ = slot + 1; */
        queued = n;
        left = queued
    }
}

/* handing_on.cpp, give_up_tasks(): submit(j); */
inline give_up_tasks(thread) {
    do
    :: queued > 0 ->
        change_queue(thread, queued - 1);
        jobs++
    :: else -> break
    od
}

/* Answers one of those who rest; `seen` says whether there was any. */
inline answer_one() {
    /* lobby.hpp, take_from(): word.load(std::memory_order_seq_cst) & wanted */
    load(KEEPER, LOBBY, SEQ_CST, seen);
    number = 1;
    do
    :: number <= TAKERS && (seen & MASK(number)) == 0 -> number++
    :: else -> break
    od;
    if
    :: number <= TAKERS ->
        /* lobby.hpp, take_from(): word.fetch_and(~one, std::memory_order_seq_cst) */
        fetch_and(KEEPER, LOBBY, MASK(number), SEQ_CST, old);
        if
        :: (old & MASK(number)) != 0 ->
            change_queue(KEEPER, queued - 1);
            answered[number] = true
        :: else
        fi
    :: else
    fi;
    number = 0;
    old = 0
}

/* worker.hpp, feed_lobby(): while (answers > 0 && can_give(m, what)) */
inline feed_lobby() {
    do
    :: queued == 0 -> break
    :: else ->
        answer_one();
        if
        :: seen != 0
        :: else ->
            /* worker.hpp, feed_lobby(): m.lower(bits::lobby); */
            fetch_and_not(KEEPER, ATTENTION, BELL, SEQ_CST);
            /* worker.hpp, feed_lobby(): if (m.lobby_empty()) return; */
            load(KEEPER, LOBBY, SEQ_CST, seen);
            if
            :: seen == 0 -> break
            :: else ->
                /* worker.hpp, feed_lobby(): m.raise(self_, bits::lobby); */
                fetch_or(KEEPER, ATTENTION, BELL, SEQ_CST, old);
                old = 0
            fi
        fi
    od;
    seen = 0
}

/* --- the keeper --------------------------------------------------------------------------------- */

inline get_up() {
    d_step { holders--; leaves_some = queued > 0; queued = 0 }
    /* biased_lock.hpp, leave(): inside_.store(false, std::memory_order_release); */
    store(KEEPER, INSIDE, 0, LEAVE_ORDER)
}

/* worker.hpp, pause(): if (leaves_some && !leaves_tasks.own()) leaves_tasks.set(true); */
inline say_that_it_leaves_tasks() {
    if
    :: leaves_some ->
        /* counter.hpp, own(): return value_.load(std::memory_order_relaxed); */
        load(KEEPER, LEAVES, RELAXED, seen);
        if
        :: seen == 0 ->
#ifdef PLAIN_LEAVES
            store(KEEPER, LEAVES, 1, RELEASE) /* fault: the look after it may come before it */
#else
            /* counter.hpp, set(): value_.store(value, std::memory_order_seq_cst); */
            exchange(KEEPER, LEAVES, 1, SEQ_CST, old);
            old = 0
#endif
        :: else
        fi;
        seen = 0
    :: else
    fi
}

/* worker.hpp, is_asked_for_what_is_left(): (protocol::bits::lobby | protocol::bits::collects) */
inline look_whether_asked() {
    /* attention.hpp, get(): return word_.load(std::memory_order_seq_cst); */
    load(KEEPER, ATTENTION, SEQ_CST, asked)
}

/* kept_seats.cpp, pause_in_time(): while (leaves_some && is_asked_for_what_is_left()) */
inline pause_in_time() {
    do
    :: !leaves_some -> break
    :: else ->
        look_whether_asked();
        if
        :: asked == 0 -> break
        :: else ->
            enter();
            sit(KEEPER);
            if
            :: (asked & BELL) != 0 -> feed_lobby() /* kept_seats.cpp, pause_in_time(): serve_others(); */
            :: else
            fi;
            look_whether_asked();
            if
            :: (asked & COLLECTS) != 0 ->
                /* kept_seats.cpp, pause_in_time(): shown.attention.lower(protocol::bits::collects); */
                fetch_and_not(KEEPER, ATTENTION, COLLECTS, SEQ_CST);
                give_up_tasks(KEEPER) /* kept_seats.cpp, pause_in_time(): home.give_up_tasks(*this); */
            :: else
            fi;
            if
            :: queued == 0 ->
                /* kept_seats.cpp, pause_in_time(): if (!leaves_some) leaves_tasks.set(false); */
                exchange(KEEPER, LEAVES, 0, SEQ_CST, old);
                old = 0
            :: else
            fi;
            get_up();
#ifdef NO_SECOND_LOOK
            break /* fault: who has come meanwhile has found the keeper there */
#endif
        fi
    od;
    asked = 0
}

/* worker.hpp, pause(): seat.leave(); */
inline pause() {
#ifdef LEAVES_AFTER_LOOK
    leaves_some = queued > 0;
    get_up();
    look_whether_asked(); /* fault: before it says that it leaves any */
    say_that_it_leaves_tasks();
    if
    :: asked != 0 -> pause_in_time()
    :: else
    fi;
#else
    leaves_some = queued > 0;
    say_that_it_leaves_tasks();
    get_up();
#ifndef NO_LOOK_AFTER_LEAVING
    pause_in_time(); /* worker.hpp, pause(): if (leaves_some && is_asked_for_what_is_left()) */
#endif
#endif
    leaves_some = false
}

proctype keeper() {
    byte word, queued, seen, old, asked, number;
    bool entered, leaves_some;
    do
    :: word < ROUNDS ->
        enter(); /* seated.hpp, keeps_one(): !mine->seat.try_enter() */
        sit(KEEPER);
        if
        :: change_queue(KEEPER, queued + 1)
        :: queued > 0 -> change_queue(KEEPER, queued - 1)
        fi;
        pause(); /* seated.hpp, seated(): at_.self->pause(); */
        word++
    :: else -> break
    od;
    is_away = true
}

/* --- those who sleep ---------------------------------------------------------------------------- */

/* kept_seats.cpp, collect(): if (!w.leaves_tasks.get()) continue; */
inline look_whether_tasks_are_left() {
    /* counter.hpp, get(): return value_.load(std::memory_order_seq_cst); */
    load(me, LEAVES, SEQ_CST, leaves)
}

/* kept_seats.cpp, collect(): (void)w.seat.use_if_left([&] { */
inline collect() {
    if
    :: leaves != 0 ->
        lock(me);
        /* biased_lock.hpp, use_if_left(): is_wanted_.store(true, std::memory_order_relaxed); */
        store(me, WANTED, 1, RELAXED);
        barrier_in_all_threads(me); /* biased_lock.hpp, use_if_left(): barrier_in_all_threads(); */
        /* biased_lock.hpp, use_if_left(): const bool is_free = !inside_.load(std::memory_order_acquire); */
        load(me, INSIDE, USE_ORDER, seen);
        if
        :: seen == 0 ->
            sit(me);
            give_up_tasks(me); /* kept_seats.cpp, collect(): give_up_tasks(w); */
            /* kept_seats.cpp, collect(): leaves_tasks.set(false); */
            exchange(me, LEAVES, 0, SEQ_CST, old);
            d_step { holders--; old = 0 }
        :: else
        fi;
        seen = 0;
        /* biased_lock.hpp, use_if_left(): is_wanted_.store(false, std::memory_order_release); */
        store(me, WANTED, 0, RELEASE);
        unlock(me)
    :: else
    fi;
    leaves = 0
}

proctype taker(byte me) {
    byte queued, seen, old, number, leaves;
    do
    :: is_over -> break
    :: else ->
#ifdef LOOK_BEFORE_RING
        look_whether_tasks_are_left(); /* fault: before the keeper can hear of it */
#endif
        /* lobby.hpp, deposit(): fetch_or(mask(request), std::memory_order_seq_cst) == 0 */
        fetch_or(me, LOBBY, MASK(me), SEQ_CST, old);
        if
        :: old == 0 ->
            /* own_requests.hpp, ring(): m.raise(w, bits::lobby); */
            /* attention.hpp, raise(): return word_.fetch_or(which, std::memory_order_seq_cst); */
            fetch_or(me, ATTENTION, BELL, SEQ_CST, old)
        :: else
        fi;
        old = 0;
#ifndef LOOK_BEFORE_RING
        look_whether_tasks_are_left();
#endif
        collect(); /* wait_loop.hpp, sleep(): self.home.collect(self); */
        asleep[me] = true;
        answered[me] || jobs > 0 || is_over;
        asleep[me] = false;
        if
        :: is_over -> break
        :: else
        fi;
        /* own_requests.hpp, withdraw(): if (m.claim(r, seen, request_state::home)) return; */
        fetch_and(me, LOBBY, MASK(me), SEQ_CST, old);
        if
        :: (old & MASK(me)) == 0 -> answered[me]; answered[me] = false
        :: else ->
            d_step {
                if
                :: jobs > 0 -> jobs--
                :: else
                fi
            }
        fi;
        old = 0
    od
}

proctype waiter(byte me) {
    byte queued, seen, old, number, leaves;
    do
    :: is_over -> break
    :: else ->
#ifdef LOOK_BEFORE_RING
        look_whether_tasks_are_left(); /* fault: before the keeper can hear of it */
#endif
        /* kept_seats.cpp, collect(): w.shown.attention.raise(protocol::bits::collects); */
        /* attention.hpp, raise(): return word_.fetch_or(which, std::memory_order_seq_cst); */
        fetch_or(me, ATTENTION, COLLECTS, SEQ_CST, old);
        old = 0;
#ifndef LOOK_BEFORE_RING
        look_whether_tasks_are_left();
#endif
        collect(); /* wait_loop.hpp, sleep(): self.home.collect(self); */
        asleep[me] = true;
        jobs > 0 || is_over;
        asleep[me] = false;
        d_step {
            if
            :: jobs > 0 -> jobs--
            :: else
            fi
        }
    od
}

/* When the keeper is away for good and all others sleep with nothing to wake them, none may lie in the seat. */
proctype judge() {
    d_step {
        is_away && jobs == 0 && asleep[1] && asleep[THREADS - 1] && !answered[1] && !answered[THREADS - 1] &&
            (THREADS < 4 || (asleep[2] && !answered[2])) ->
        assert(left == 0);
        is_over = true
    }
}

init {
    byte i;
    atomic {
        do
        :: i < THREADS -> run drain(i); i++
        :: else -> break
        od;
        run keeper();
        i = 1;
        do
        :: i <= TAKERS -> run taker(i); i++
        :: i > TAKERS && i < THREADS -> run waiter(i); i++
        :: i >= THREADS -> break
        od;
        i = 0;
        run judge()
    }
}
