/* A block of tasks changes its owner: claim word, wish, block, task channel, attention, and the results
 * on their way back.
 *
 * Thread 0 is the thief. It asks OWNERS times; threads 1 .. OWNERS try to claim each request, and each
 * that wins answers once, with its block of TASKS_EACH tasks, which lie in its frame. The thief sleeps
 * while nothing comes, runs the tasks, and completes each; the owner waits for the results and then
 * uses the frames for something else. Each owner may take its answer back once, before the thief has it:
 * then it sends the request home, and competes for the next one.
 *
 * Claims:
 *   - the thief finds the block, its tasks and their arguments as the owner wrote them;
 *   - the owner does not touch block and tasks between sending and the tasks' completion, neither by an
 *     access nor by a store that is still under way; the thief not after it completed the task;
 *   - one answer for one request, with the wish that belongs to it; no answer is lost: everybody ends;
 *   - an answer is the thief's or, if it was taken back, its owner's; what is said beside an answer is not
 *     written while the thief may read it, even if the thief loses the answer meanwhile.
 * How the owners learn of the request is left out: they look at the claim word. That orders less than a
 * letter in the mailbox or a bit in the lobby does. */
#ifndef OWNERS
#define OWNERS 2
#endif
#ifndef TASKS_EACH
#define TASKS_EACH 1
#endif

#define THREADS (OWNERS + 1)
#define THIEF 0
#define TASKS (OWNERS * TASKS_EACH)
#ifndef LAGGING
#define LAGGING THREADS
#endif
#ifndef BUFFER
#define BUFFER 3
#endif

/* Owners, and with them blocks, are numbered from 1, tasks from 1. */
#define CLAIM 0
#define WISH 1
#define ANSWER 2
#define WORD 3
#define BEGIN(block) (2 + 2 * (block))
#define END(block) (3 + 2 * (block))
#define SLOT(task) (3 + 2 * OWNERS + (task))
#define ARGUMENT(task) (3 + 2 * OWNERS + TASKS + (task))
#define STATE(task) (3 + 2 * OWNERS + 2 * TASKS + (task))
#define RESULT(task) (3 + 2 * OWNERS + 3 * TASKS + (task))
#define FLAG (4 + 2 * OWNERS + 4 * TASKS)
#define LOCATIONS (5 + 2 * OWNERS + 4 * TASKS)
#include "store_buffers.pml"

/* The claim word; memory is 0 at first. */
#define HOME 0
#define CIRCULATING 1
#define TAKEN 2
/* The attention word. */
#define TASKS_BIT 1
#define ASLEEP 4
/* What a task's words hold. */
#define FIRST_SLOT 5
#define ARGUMENT_OF(task) (10 + (task))
#define RESULT_OF(task) (20 + (task))
#define SOMETHING_ELSE 99
#define RECEIVER_OF(task) (1 + ((task) - 1) / TASKS_EACH)
#define PENDING 0 /* oneshot.hpp: the word names the receiver; which one, is RECEIVER_OF */
#define VALUE 1

#ifdef NO_RELEASE_ANSWER
#define ANSWER_ORDER RELAXED
#else
#define ANSWER_ORDER RELEASE
#endif
#ifdef NO_ACQUIRE_ANSWER
#define ARRIVE_ORDER RELAXED
#else
#define ARRIVE_ORDER ACQUIRE
#endif
#ifdef NO_RELEASE_SET
#define SET_ORDER RELAXED
#else
#define SET_ORDER RELEASE
#endif
#ifdef NO_ACQUIRE_CLAIM
#define GET_ORDER RELAXED
#define MOVE_ORDER RELEASE
#else
#define GET_ORDER ACQUIRE
#define MOVE_ORDER ACQ_REL
#endif
#ifdef NO_RELEASE_RESULT
#define COMPLETE_ORDER RELAXED
#else
#define COMPLETE_ORDER RELEASE
#endif
#ifdef NO_ACQUIRE_RESULT
#define JOIN_ORDER RELAXED
#else
#define JOIN_ORDER ACQUIRE
#endif

/* For the claims alone: who may touch a block, and a task in its frame. */
byte block_of[OWNERS + 1];
byte frame_of[TASKS + 1];
byte asked;
bool waiting; /* the thief is asleep in the kernel; parker.pml has that in full */

#define NO_STORE_TO(thread, where) (!HAS_STORED(thread, where))

/* --- an owner --------------------------------------------------------------------------------- */

/* An owner polls only when a load can give it something new: so that a lost answer, after which all
 * poll for ever, is a deadlock, which spin reports. */

inline push_tasks() {
    task = (me - 1) * TASKS_EACH + 1;
    do
    :: task <= me * TASKS_EACH ->
        /* forked.hpp, forked(): function_(call) */
        store(me, ARGUMENT(task), ARGUMENT_OF(task), PLAIN);
        /* forked.hpp, forked(): state_(&owner) */
        store(me, STATE(task), PENDING, PLAIN);
        /* deque.hpp, push(): *slot = t; */
        store(me, SLOT(task), task, PLAIN);
        task++
    :: else -> break
    od
}

/* A part of a block is written in the same way. */
/* deque.cpp, take_oldest_block(): block* whole = oldest(); */
inline take_half() {
    assert(block_of[me] == me);
    /* deque.cpp, take_oldest_block(): whole->begin = static_cast<std::uint32_t>(head_ - whole->slots.data()); */
    store(me, BEGIN(me), FIRST_SLOT, PLAIN);
    /* deque.cpp, take_oldest_block(): whole->end = block::end_of_slots; */
    store(me, END(me), FIRST_SLOT + TASKS_EACH, PLAIN)
}

inline give_away() {
    block_of[me] = THIEF;
    task = (me - 1) * TASKS_EACH + 1;
    do
    :: task <= me * TASKS_EACH -> frame_of[task] = THIEF; task++
    :: else -> break
    od;
    task = 0
}

inline send_tasks() {
#ifndef TOUCH_AFTER_SEND
    take_half();
#endif
    /* medium.hpp, send(): at(r).isolated = p.region != 0; */
    store(me, FLAG, me, PLAIN);
    atomic {
        /* spsc.hpp, send(): value_.store(value, std::memory_order_release); */
        store(me, ANSWER, me, ANSWER_ORDER);
        d_step { give_away() }
    }
#ifdef TOUCH_AFTER_SEND
    take_half(); /* fault: the block is still written when it is out */
#endif
}

inline raise_and_wake() {
    /* attention.hpp, raise(): return word_.fetch_or(which, std::memory_order_seq_cst); */
    fetch_or(me, WORD, TASKS_BIT, SEQ_CST, old);
    if
#ifndef NO_WAKE
    :: (old & ASLEEP) != 0 -> waiting = false /* attention.hpp, wake(): futex_wake(word_, 1) */
#endif
    :: else
    fi
}

/* Then the tasks are the owner's again, as before the send. */
inline own_again() {
    block_of[me] = me;
    task = (me - 1) * TASKS_EACH + 1;
    do
    :: task <= me * TASKS_EACH -> frame_of[task] = me; task++
    :: else -> break
    od;
    task = 0
}

inline send_home() {
    /* worker.hpp, take_back(): m.set_state(*r, request_state::home); */
    store(me, CLAIM, HOME, SET_ORDER)
}

inline take_back() {
    took_back = true;
    atomic {
#ifdef PLAIN_TAKE_BACK
        load(me, ANSWER, RELAXED, state); /* fault: no read-modify-write */
        mine = (state == me)
#else
        state = me;
        /* spsc.hpp, take_back(): value_.compare_exchange_strong(there, nullptr, std::memory_order_acquire, std::memory_order_relaxed) */
        compare_exchange(me, ANSWER, state, 0, ACQUIRE, RELAXED, mine);
        if
        :: mine -> d_step { own_again() }
        :: else
        fi
#endif
    }
    if
    :: mine ->
#ifdef PLAIN_TAKE_BACK
        store(me, ANSWER, 0, RELAXED); /* fault: no read-modify-write */
        d_step { own_again() }
#endif
        won = false;
#ifdef RAISE_BEFORE_HOME
        raise_and_wake(); /* fault: the thief looks, finds its request taken, and sleeps */
        send_home()
#else
        send_home();
#ifndef NOBODY_TOLD
        /* worker.hpp, take_back(): m.raise_and_wake(thief_of(*r), bits::tasks); */
        raise_and_wake()
#endif
#endif
    :: else
    fi
}

inline claim_and_answer() {
    /* claim.hpp, get(): return state_.load(std::memory_order_acquire); */
    load(me, CLAIM, GET_ORDER, state);
    if
    :: state == CIRCULATING ->
#ifdef PLAIN_CLAIM
        store(me, CLAIM, TAKEN, RELEASE); /* fault: no compare-and-swap */
        won = true;
#else
        /* claim.hpp, move(): return state_.compare_exchange_strong(from, to, std::memory_order_acq_rel, std::memory_order_acquire); */
        compare_exchange(me, CLAIM, state, TAKEN, MOVE_ORDER, GET_ORDER, won);
#endif
        if
        :: won ->
            /* medium.hpp, wish(): return at(r).wish; */
            load(me, WISH, PLAIN, old);
            assert(old == asked);
#ifdef RAISE_BEFORE_SEND
            raise_and_wake(); /* fault: who looks because of the bit finds nothing */
#endif
            /* medium.hpp, send(): at(r).answer.send(p.tasks); */
            /* medium.hpp, oldest(): a == protocol::amount::half ? half(from) : from.take_oldest(); */
            send_tasks();
#ifndef RAISE_BEFORE_SEND
            /* worker.hpp, answer(): m.raise_and_wake(thief_of(r), bits::tasks); */
            raise_and_wake()
#endif
        :: else
        fi
    :: else
    fi
}

inline join() {
    task = (me - 1) * TASKS_EACH + 1;
    do
    :: task <= me * TASKS_EACH ->
        do
        :: memory[STATE(task)] == VALUE ->
            /* oneshot.hpp, get(): const std::uintptr_t word = word_.load(std::memory_order_acquire); */
            load(me, STATE(task), JOIN_ORDER, state);
            if
            :: state == VALUE -> break
            :: else
            fi
        od;
        assert(frame_of[task] == me);
        assert(NO_STORE_TO(THIEF, ARGUMENT(task)) && NO_STORE_TO(THIEF, RESULT(task)));
        /* forked.hpp, join(): return slot_.take(state_.get()); */
        load(me, RESULT(task), PLAIN, old);
        assert(old == RESULT_OF(task));
        /* Then the frame is left and its memory used again. */
        /* forked.hpp, join(): return slot_.take(state_.get()); */
        store(me, ARGUMENT(task), SOMETHING_ELSE, PLAIN);
        task++
    :: else -> break
    od
}

proctype owner(byte me) {
    byte task, state, old, mine;
    bool won, took_back;
    push_tasks();
    do
    :: !won && memory[CLAIM] == CIRCULATING -> claim_and_answer()
    :: won && !took_back -> take_back()
    :: won -> break
    od;
    join()
}

/* --- the thief -------------------------------------------------------------------------------- */

inline ask() {
    asked++;
    /* medium.hpp, set_wish(): at(r).wish = a; */
    store(THIEF, WISH, asked, PLAIN);
    /* claim.hpp, set(): state_.store(next, std::memory_order_release); */
    store(THIEF, CLAIM, CIRCULATING, SET_ORDER)
}

/* spsc.hpp, peek(): return value_.load(std::memory_order_acquire) != nullptr; */
inline tasks_arrived() {
    load(THIEF, ANSWER, ARRIVE_ORDER, block)
}

/* A thief whose answer was taken back asks again. */
inline sleep() {
    /* claim.hpp, get(): return state_.load(std::memory_order_acquire); */
    load(THIEF, CLAIM, ACQUIRE, state);
    if
    :: state == HOME -> ask() /* own_requests.hpp, rest(): if (seen == request_state::home) m.set_state(own(), request_state::resting); */
    :: else
    fi;
    /* attention.hpp, prepare(): attention::bits seen = word_.load(std::memory_order_relaxed); */
    load(THIEF, WORD, RELAXED, seen);
    marked = false;
    do
    :: (seen & TASKS_BIT) != 0 -> break
    :: else ->
        /* attention.hpp, prepare(): word_.compare_exchange_weak(seen, seen | attention::asleep, std::memory_order_seq_cst, */
        compare_exchange(THIEF, WORD, seen, seen | ASLEEP, SEQ_CST, RELAXED, marked);
        if
        :: marked -> break
        :: else
        fi
    od;
    if
    :: marked ->
        /* own_requests.hpp, anything_arrived(): m.tasks_arrived(own(slot)) */
        tasks_arrived();
        if
        :: block == 0 ->
            atomic {
                /* attention.hpp, commit(): if ((seen & waking_) != 0) break; */
                pending[THIEF].length == 0;
                waiting = ((memory[WORD] & TASKS_BIT) == 0)
            }
            !waiting
        :: else
        fi;
        /* attention.hpp, cancel(): word_.fetch_and(~attention::asleep, std::memory_order_seq_cst); */
        fetch_and_not(THIEF, WORD, ASLEEP, SEQ_CST)
    :: else
    fi;
    block = 0
}

/* The block becomes the thief's own, and its tasks are run. */
inline run_block() {
    assert(block_of[block] == THIEF);
    assert(NO_STORE_TO(block, BEGIN(block)) && NO_STORE_TO(block, END(block)));
    /* deque.cpp, receive(): restart_with(b, b->begin, b->end); */
    load(THIEF, BEGIN(block), PLAIN, seen);
    assert(seen == FIRST_SLOT);
    /* deque.cpp, receive(): restart_with(b, b->begin, b->end); */
    load(THIEF, END(block), PLAIN, seen);
    assert(seen == FIRST_SLOT + TASKS_EACH);
    slot = (block - 1) * TASKS_EACH + 1;
    do
    :: slot <= block * TASKS_EACH ->
        /* deque.hpp, pop(): task* const t = *slot; */
        load(THIEF, SLOT(slot), PLAIN, task);
        assert(task == slot && frame_of[task] == THIEF);
        assert(NO_STORE_TO(block, ARGUMENT(task)) && NO_STORE_TO(block, STATE(task)));
        /* thread_host.hpp, run(): t->run(t, *self_); */
        run_task();
        slot++
    :: else -> break
    od
}

inline run_task() {
    /* forked.hpp, run_for_owner(): record->function() */
    load(THIEF, ARGUMENT(task), PLAIN, seen);
    assert(seen == ARGUMENT_OF(task));
    /* forked.hpp, run_for_owner(): record->slot_.fill(record->function()) */
    store(THIEF, RESULT(task), RESULT_OF(task), PLAIN);
    atomic {
        /* oneshot.hpp, send(): word_.store(static_cast<std::uintptr_t>(result), std::memory_order_release); */
        store(THIEF, STATE(task), VALUE, COMPLETE_ORDER);
        frame_of[task] = RECEIVER_OF(task)
    }
#ifdef TOUCH_AFTER_COMPLETION
    load(THIEF, ARGUMENT(task), PLAIN, seen); /* fault: not the last access to the frame */
    assert(seen == ARGUMENT_OF(task))
#endif
}

inline receive() {
    arrived = false;
    /* claim.hpp, get(): return state_.load(std::memory_order_acquire); */
    load(THIEF, CLAIM, ACQUIRE, state);
    if
    :: state == TAKEN ->
        /* worker.hpp, receive(): if (m.state(r) != request_state::taken || !m.tasks_arrived(r)) return false; */
        tasks_arrived();
        if
        :: block != 0 ->
            assert(NO_STORE_TO(block, FLAG));
            /* medium.hpp, isolated_tasks_arrived(): at(r).isolated */
            load(THIEF, FLAG, PLAIN, seen);
            assert(seen == block);
#ifdef PLAIN_RECEIVE
            load(THIEF, ANSWER, ARRIVE_ORDER, block); /* fault: no read-modify-write */
            if
            :: block != 0 -> store(THIEF, ANSWER, 0, RELAXED) /* fault: no read-modify-write */
            :: else
            fi;
#else
            /* spsc.hpp, take(): return value_.exchange(nullptr, std::memory_order_acquire); */
            exchange(THIEF, ANSWER, 0, ARRIVE_ORDER, block);
#endif
            if
            :: block != 0 ->
                arrived = true;
                /* What receive() writes below the first task is a word that nobody else looks at. */
                /* worker.hpp, receive(): m.set_state(r, request_state::home); */
                store(THIEF, CLAIM, HOME, SET_ORDER)
            :: else /* worker.hpp, receive(): if (!take_answer(m, r)) return false; */
            fi
        :: else
        fi
    :: else
    fi
}

inline serve() {
    /* attention.hpp, get(): return word_.load(std::memory_order_seq_cst); */
    load(THIEF, WORD, SEQ_CST, seen);
    if
    :: (seen & TASKS_BIT) != 0 ->
        /* attention.hpp, lower(): word_.fetch_and(~which, std::memory_order_seq_cst); */
        fetch_and_not(THIEF, WORD, TASKS_BIT, SEQ_CST)
    :: else
    fi
}

proctype thief() {
    byte round, state, block, task, slot, seen;
    bool arrived, marked;
    do
    :: round < OWNERS ->
        round++;
        ask();
        do
        :: receive();
            if
            :: arrived -> break
            :: else
            fi;
            serve();
            sleep()
        od;
        run_block();
        block = 0
    :: else -> break
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
        :: i <= OWNERS -> block_of[i] = i; i++
        :: else -> break
        od;
        i = 1;
        do
        :: i <= TASKS -> frame_of[i] = RECEIVER_OF(i); i++
        :: else -> break
        od;
        i = 1;
        do
        :: i <= OWNERS -> run owner(i); i++
        :: else -> break
        od;
        i = 0;
        run thief()
    }
}
