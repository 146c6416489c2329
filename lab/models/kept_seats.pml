/* A seat that its keeper leaves between two words, with tasks in it, and those who collect them before they
 * sleep: sync/biased_lock.hpp and runtime/kept_seats.cpp.
 *
 * Thread 0 is the keeper. In each of ROUNDS words it makes a task or runs one, and then it is away. The
 * TAKERS after it are workers: each deposits its request, rings, collects, and sleeps until it is answered.
 * The WAITERS after them take jobs only: each counts itself in `wanting`, collects, and sleeps until there is a job.
 * The BUSY ones after those have got other work each time that they come, so that they do not sleep.
 *
 * The barrier in all threads empties the buffer of one thread after the other, each at a moment of its own,
 * as the kernel does by an interrupt on each processor.
 *
 * Claims:
 *   - the keeper and those who collect are never in the seat at the same time, and whoever is in it sees
 *     what the one before has left there;
 *   - no task lies in the seat when the keeper is away for good and all others sleep;
 *   - the mark of a busy one does not stay where tasks lie, and the keeper is away: others would not come any more;
 *   - when the keeper leaves after a busy one has come and found it there, all tasks that lay in the seat have been taken.
 *
 * A thief that pauses, since what it got did not pay (policy/gain.hpp), counts as awake: its sleep ends by itself. */
#ifndef TAKERS
#define TAKERS 1
#endif
#ifndef WAITERS
#define WAITERS 1
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

#ifndef BUSY
#define BUSY 0
#endif
#ifndef COMES
#define COMES 2
#endif

#define SLEEPERS (TAKERS + WAITERS)
#define THREADS (1 + SLEEPERS + BUSY)
#define LOCATIONS 9
#ifndef LAGGING
#define LAGGING THREADS
#endif
#define BUFFER 3
#include "store_buffers.pml"

#define KEEPER 0
#define INSIDE 0    /* biased_lock.hpp, inside_ */
#define WANTED 1    /* biased_lock.hpp, is_wanted_ */
#define OTHERS 2    /* biased_lock.hpp, others_ */
#define LEAVES 3    /* kept_seats.hpp, leaves_tasks */
#define ATTENTION 4 /* the keeper's */
#define LOBBY 5     /* a bit for each worker that may sleep in it */
#define QUEUE 6     /* how many tasks are in the keeper's deque */
#define WANTING 7   /* kept_seats.hpp, wanting_ */
#define MUST 8      /* kept_seats.hpp, must_hand_on */

#define BELL 1 /* bits.hpp, lobby */
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
byte comes;  /* the busy one that has the lock: its mask */
byte wishes; /* a bit for each busy one that has come, until the seat has been empty */
bool owes;   /* the keeper was there when one came */
byte are_done; /* busy ones */

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
        has_seen(thread, OTHERS, memory[OTHERS], ACQUIRE);
        if
        :: thread == KEEPER && (comes & wishes) != 0 && memory[INSIDE] == 1 -> owes = true
        :: else
        fi
    }
}

/* biased_lock.cpp, barrier_in_all_threads(): membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) */
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

/* kept_seats.cpp, pause_in_time(): if (!seat_.lock.try_enter()) seat_.lock.enter(); */
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
        left = queued;
        if
        :: left == 0 -> wishes = 0; owes = false
        :: else
        fi
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
    /* lobby.hpp, take_from(): word(w).load(std::memory_order_seq_cst) & searched */
    load(KEEPER, LOBBY, SEQ_CST, seen);
    number = 1;
    do
    :: number <= TAKERS && (seen & MASK(number)) == 0 -> number++
    :: else -> break
    od;
    if
    :: number <= TAKERS ->
        /* lobby.hpp, take_from(): word(w).fetch_and(~mask(number), std::memory_order_seq_cst) */
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

/* worker.hpp, feed_lobby(): while (answers > 0 && can_give(m, what, no_worker)) */
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
    d_step { holders--; queued = 0 }
    /* biased_lock.hpp, leave(): inside_.store(false, std::memory_order_release); */
    store(KEEPER, INSIDE, 0, LEAVE_ORDER)
}

inline say_that_tasks_are_left() {
    if
    :: leaves_some ->
        /* worker.hpp, pause(): if (!own_.tasks.empty() && !seat_.leaves_tasks.own()) */
        /* counter.hpp, own(): return value_.load(std::memory_order_relaxed); */
        load(KEEPER, LEAVES, RELAXED, seen);
        if
        :: seen == 0 ->
            /* kept_seats.cpp, say_that_tasks_are_left(): leaves_tasks.set(true); */
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

inline look_for_wanting() {
    /* counter.hpp, get(): return value_.load(std::memory_order_seq_cst); */
    load(KEEPER, WANTING, SEQ_CST, wanting)
}

/* `asked` and `wanting` say whether it is. */
inline look_whether_asked() {
    /* pool.hpp, is_asked_for_what_is_left(): (shared_.attention.get() & protocol::bits::lobby) != 0 */
    /* attention.hpp, get(): return word_.load(std::memory_order_seq_cst); */
    load(KEEPER, ATTENTION, SEQ_CST, asked);
    if
    :: asked == 0 -> look_for_wanting() /* pool.hpp, is_asked_for_what_is_left(): home_.kept().are_wanted() */
    :: else
    fi;
    if
    :: BUSY > 0 && asked == 0 && wanting == 0 ->
        /* pool.hpp, is_asked_for_what_is_left(): seat_.must_hand_on.get(); */
        load(KEEPER, MUST, RELAXED, must)
    :: else
    fi
}

/* kept_seats.cpp, pause_in_time(): while (seat_.leaves_tasks.own() && is_asked_for_what_is_left()) */
inline pause_in_time() {
    do
    :: true ->
        /* counter.hpp, own(): return value_.load(std::memory_order_relaxed); */
        load(KEEPER, LEAVES, RELAXED, seen);
        if
        :: seen == 0 -> break
        :: else
        fi;
        seen = 0;
        look_whether_asked();
        if
        :: asked == 0 && wanting == 0 && must == 0 -> break
        :: else
        fi;
        must = 0;
        asked = 0;
        wanting = 0;
        enter();
        sit(KEEPER);
        if
        :: queued > 0 ->
            /* worker.hpp, serve(): if (shared_.attention.any()) [[unlikely]] */
            /* attention.hpp, get(): return word_.load(std::memory_order_seq_cst); */
            load(KEEPER, ATTENTION, SEQ_CST, asked);
            if
            :: (asked & BELL) != 0 -> feed_lobby() /* kept_seats.cpp, pause_in_time(): serve_others(); */
            :: else
            fi
        :: else
        fi;
        if
        :: BUSY > 0 ->
            load(KEEPER, MUST, RELAXED, must); /* kept_seats.cpp, pause_in_time(): const bool must = seat_.must_hand_on.get(); */
            if
            :: must != 0 -> store(KEEPER, MUST, 0, RELAXED) /* kept_seats.cpp, pause_in_time(): seat_.must_hand_on.set(false); */
            :: else
            fi
        :: else
        fi;
        look_for_wanting(); /* kept_seats.cpp, pause_in_time(): home_.kept().are_wanted() */
        if
        :: must != 0 || wanting != 0 -> give_up_tasks(KEEPER) /* kept_seats.cpp, pause_in_time(): give_up_tasks(*this); */
        :: else
        fi;
        must = 0;
        asked = 0;
        wanting = 0;
        if
        :: queued == 0 ->
            /* kept_seats.cpp, pause_in_time(): if (leaves_nothing) seat_.leaves_tasks.set(false); */
            exchange(KEEPER, LEAVES, 0, SEQ_CST, old);
            old = 0
        :: else
        fi;
        get_up();
#ifdef NO_SECOND_LOOK
        break /* fault: who has come meanwhile has found the keeper there */
#endif
    od;
    asked = 0;
    wanting = 0;
    must = 0;
    seen = 0
}

inline pause() {
    leaves_some = queued > 0;
#ifdef LEAVES_AFTER_LOOK
    get_up();
    look_whether_asked(); /* fault: before it says that it leaves any */
    say_that_tasks_are_left();
    if
    :: asked != 0 || wanting != 0 -> pause_in_time()
    :: else
    fi;
#else
    say_that_tasks_are_left();
    get_up(); /* worker.hpp, leave_kept_seat(): seat_.lock.leave(); */
#ifndef NO_LOOK_AFTER_LEAVING
    pause_in_time(); /* worker.hpp, leave_kept_seat(): if (seat_.leaves_tasks.own() && is_asked_for_what_is_left()) */
#endif
#endif
    d_step { leaves_some = false; assert(!owes || holders > 0) /* one who is in the seat takes them */ }
}

proctype keeper() {
    byte word, queued, seen, old, asked, wanting, must, number;
    bool entered, leaves_some;
    do
    :: word < ROUNDS ->
        enter(); /* seated.hpp, sit_in_kept_seat(): !mine->seat_part().lock.try_enter() */
        sit(KEEPER);
        if
        :: change_queue(KEEPER, queued + 1)
        :: queued > 0 -> change_queue(KEEPER, queued - 1)
        fi;
        pause(); /* seated.hpp, in_kept_seat(): self_.pause(); */
        word++
    :: else -> break
    od;
    is_away = true
}

/* --- those who sleep ---------------------------------------------------------------------------- */

/* kept_seats.cpp, collect(): w.seat_part().leaves_tasks.get() */
inline look_whether_tasks_are_left() {
    /* counter.hpp, get(): return value_.load(std::memory_order_seq_cst); */
    load(me, LEAVES, SEQ_CST, leaves)
}

/* kept_seats.cpp, collect_from(): (void)kept.seat_part().lock.use_if_left([&] { */
inline collect() {
    if
    :: leaves != 0 ->
        lock(me);
        comes = mask;
        /* biased_lock.hpp, use_if_left(): is_wanted_.store(true, std::memory_order_relaxed); */
        store(me, WANTED, 1, RELAXED);
        barrier_in_all_threads(me); /* biased_lock.hpp, use_if_left(): barrier_in_all_threads(); */
        /* biased_lock.hpp, use_if_left(): const bool is_free = !inside_.load(std::memory_order_acquire); */
        load(me, INSIDE, USE_ORDER, seen);
        if
        :: seen == 0 ->
            sit(me);
            if
            :: BUSY > 0 ->
                store(me, MUST, 0, RELAXED) /* kept_seats.cpp, collect_from(): kept.seat_part().must_hand_on.set(false); */
            :: else
            fi;
            give_up_tasks(me); /* kept_seats.cpp, collect_from(): give_up_tasks(kept); */
            /* kept_seats.cpp, collect_from(): if (kept.queued() == 0 && kept.own_part().in_hand.job == nullptr) { */
            exchange(me, LEAVES, 0, SEQ_CST, old);
            d_step { holders--; old = 0 }
        :: else
        fi;
        seen = 0;
        /* biased_lock.hpp, use_if_left(): is_wanted_.store(false, std::memory_order_release); */
        store(me, WANTED, 0, RELEASE);
        comes = 0;
        unlock(me)
    :: else
    fi;
    leaves = 0
}

proctype taker(byte me) {
    byte queued, seen, old, number, leaves, mask;
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
        collect(); /* wanting.hpp, wanting_what_is_left(): home_.kept().collect(self); */
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
    byte queued, seen, old, number, leaves, mask;
    do
    :: is_over -> break
    :: else ->
#ifdef LOOK_BEFORE_RING
        look_whether_tasks_are_left(); /* fault: before the keeper can hear of it */
#endif
        /* wanting.hpp, wanting_what_is_left(): if (counts_) home_.kept().begin_wanting(); */
        /* counter.hpp, add(): return value_.fetch_add(n, std::memory_order_seq_cst); */
        fetch_add(me, WANTING, 1, SEQ_CST, old);
        old = 0;
#ifndef LOOK_BEFORE_RING
        look_whether_tasks_are_left();
#endif
        collect(); /* wanting.hpp, wanting_what_is_left(): home_.kept().collect(self); */
        asleep[me] = true;
        jobs > 0 || is_over;
        asleep[me] = false;
        /* wanting.hpp, wanting_what_is_left(): if (counts_) home_.kept().end_wanting(); */
        /* counter.hpp, take_off(): value_.fetch_sub(1, std::memory_order_seq_cst); */
        fetch_add(me, WANTING, -1, SEQ_CST, old);
        old = 0;
        d_step {
            if
            :: jobs > 0 -> jobs--
            :: else
            fi
        }
    od
}

proctype busy(byte me) {
    byte queued, seen, old, number, leaves, must, times, mask = MASK(me);
    do
    :: is_over || times == COMES -> break
    :: else ->
        times++;
        look_whether_tasks_are_left(); /* kept_seats.cpp, collect_beside_work(): !w.seat_part().leaves_tasks.get() */
        load(me, MUST, RELAXED, must); /* kept_seats.cpp, collect_beside_work(): if (w.seat_part().must_hand_on.get()) continue; */
        if
        :: leaves != 0 && must == 0 ->
            atomic {
                if
                :: left > 0 -> wishes = wishes | mask
                :: else
                fi
            }
#ifdef MUST_AFTER_COMING
            collect();
            store(me, MUST, 1, RELAXED) /* fault: the keeper may have looked already */
#else
#ifndef NO_MUST
            store(me, MUST, 1, RELAXED); /* kept_seats.cpp, collect_beside_work(): w.seat_part().must_hand_on.set(true); */
#endif
            collect() /* kept_seats.cpp, collect_beside_work(): (void)collect_from(w); */
#endif
        :: else
        fi;
        leaves = 0;
        must = 0;
        wishes = wishes & (255 - mask)
    od;
    are_done++
}

/* When the keeper is away for good and all others sleep with nothing to wake them, none may lie in the seat. */
/* Whoever finds the mark does not come: it does not stay where tasks lie. */
proctype judge_of_mark() {
    byte i;
    d_step {
        is_away && are_done == BUSY ->
        do
        :: i < THREADS && pending[i].length == 0 -> i++
        :: else -> break
        od;
        assert(i < THREADS || memory[MUST] == 0 || left == 0)
    }
}

proctype judge() {
    d_step {
        is_away && jobs == 0 && asleep[1] && asleep[SLEEPERS] && !answered[1] && !answered[SLEEPERS] &&
            (SLEEPERS < 3 || (asleep[2] && !answered[2])) ->
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
        :: i > TAKERS && i <= SLEEPERS -> run waiter(i); i++
        :: i > SLEEPERS && i < THREADS -> run busy(i); i++
        :: i >= THREADS -> break
        od;
        i = 0;
        if
        :: SLEEPERS > 0 -> run judge()
        :: else -> run judge_of_mark()
        fi
    }
}
