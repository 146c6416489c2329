/* Memory as threads see it: a buffer of stores per thread, and copies that lag behind.
 *
 * Before including this file define
 *   THREADS     how many threads there are, numbered from 0
 *   LOCATIONS   how many words of memory, numbered from 0; all are 0 at first
 *   BUFFER      how many stores a thread may have under way, 4 at most
 *   LAGGING     WEAK only: threads 0 .. LAGGING-1 may read copies that lag behind
 *
 * Without WEAK: x86. Stores leave a buffer in their order; a thread reads its own newest store first;
 * a read-modify-write is a locked instruction: it waits until its thread's buffer is empty.
 *
 * With WEAK: about what ARM allows. A store may overtake earlier ones to other places; a release (store
 * or read-modify-write) waits for all earlier stores. A load may give what its thread saw last instead
 * of what memory holds now, until the thread acquires: then it has seen everything. Only a seq_cst load
 * and a read-modify-write always give what memory holds.
 *
 * The copies do what loads out of order do: a copy is what an earlier load would have given. Not
 * modelled: a store that overtakes an earlier load, an intermediate value between a thread's last
 * acquire and memory, a compare-and-swap that fails for no reason (the loop around it comes back to the
 * same state).
 *
 * A read-modify-write, a load or a store is one step. Run one drain(thread) for each thread. */

#ifndef BUFFER
#define BUFFER 4
#endif
#ifndef LAGGING
#define LAGGING 0
#endif

#define PLAIN 0 /* no atomic; what is said of RELAXED holds for it */
#define RELAXED 0
#define ACQUIRE 1
#define RELEASE 2
#define ACQ_REL 3
#define SEQ_CST 7
#define IS_TOTAL 4 /* the bit that only SEQ_CST has */

typedef stores {
    byte length;
    byte place[4];
    byte value[4];
#ifdef WEAK
    bool releases[4];
#endif
};

byte memory[LOCATIONS];
stores pending[THREADS];

#if defined(WEAK) && LAGGING > 0
#define WITH_COPIES
typedef view {
    byte at[LOCATIONS];
};
view copy[LAGGING];
#endif

hidden byte buffer_index;

#define IS_AT(thread, i, where) (pending[thread].length > i && pending[thread].place[i] == (where))
#define HAS_STORED(thread, where)                                                                    \
    (IS_AT(thread, 0, where) || IS_AT(thread, 1, where) || IS_AT(thread, 2, where) ||                \
     IS_AT(thread, 3, where))

#ifdef WEAK
#define MAY_LOCK(thread, where, order)                                                               \
    (pending[thread].length == 0 || (((order) & RELEASE) == 0 && !HAS_STORED(thread, where)))
#else
#define MAY_LOCK(thread, where, order) (pending[thread].length == 0)
#endif

/* The thread has seen that `where` holds `what`; if it acquires by that, all of memory. */
inline has_seen(thread, where, what, order) {
#ifdef WITH_COPIES
    if
    :: thread < LAGGING ->
        copy[thread].at[where] = what;
        if
        :: ((order) & ACQUIRE) != 0 ->
            buffer_index = 0;
            do
            :: buffer_index < LOCATIONS -> copy[thread].at[buffer_index] = memory[buffer_index]; buffer_index++
            :: else -> break
            od
        :: else
        fi
    :: else
    fi;
#endif
    buffer_index = 0 /* a d_step must not end with a loop */
}

inline newest_of(thread, where, out) {
    buffer_index = pending[thread].length;
    do
    :: pending[thread].place[buffer_index - 1] == (where) -> out = pending[thread].value[buffer_index - 1]; break
    :: else -> buffer_index--
    od;
    buffer_index = 0
}

inline load(thread, where, order, out) {
    atomic {
        if
        :: HAS_STORED(thread, where) -> d_step { newest_of(thread, where, out) }
        :: !HAS_STORED(thread, where) ->
            d_step { out = memory[where]; has_seen(thread, where, memory[where], order) }
#ifdef WITH_COPIES
        :: ((order) & IS_TOTAL) == 0 && thread < LAGGING && !HAS_STORED(thread, where) &&
           copy[thread].at[where] != memory[where] ->
            out = copy[thread].at[where]
#endif
        fi
    }
}

inline store(thread, where, what, order) {
    atomic {
        pending[thread].length < BUFFER ->
        d_step {
            pending[thread].place[pending[thread].length] = where;
            pending[thread].value[pending[thread].length] = what;
#ifdef WEAK
            pending[thread].releases[pending[thread].length] = (((order) & RELEASE) != 0);
#endif
            pending[thread].length++
        }
    }
}

inline exchange(thread, where, what, order, out) {
    atomic {
        MAY_LOCK(thread, where, order) ->
        d_step {
            out = memory[where];
            memory[where] = what;
            has_seen(thread, where, memory[where], order)
        }
    }
}

inline fetch_or(thread, where, bits, order, out) {
    atomic {
        MAY_LOCK(thread, where, order) ->
        d_step {
            out = memory[where];
            memory[where] = memory[where] | (bits);
            has_seen(thread, where, memory[where], order)
        }
    }
}

/* Clears `bits`, and says what was there. */
inline fetch_and(thread, where, bits, order, out) {
    atomic {
        MAY_LOCK(thread, where, order) ->
        d_step {
            out = memory[where];
            memory[where] = memory[where] & (255 - (bits));
            has_seen(thread, where, memory[where], order)
        }
    }
}

/* Clears `bits`. */
inline fetch_and_not(thread, where, bits, order) {
    atomic {
        MAY_LOCK(thread, where, order) ->
        d_step {
            memory[where] = memory[where] & (255 - (bits));
            has_seen(thread, where, memory[where], order)
        }
    }
}

inline fetch_add(thread, where, what, order, out) {
    atomic {
        MAY_LOCK(thread, where, order) ->
        d_step {
            out = memory[where];
            memory[where] = memory[where] + (what);
            has_seen(thread, where, memory[where], order)
        }
    }
}

/* `expected` becomes what memory holds if that is something else, and `won` says whether it was not. */
inline compare_exchange(thread, where, expected, desired, success, failure, won) {
    atomic {
        MAY_LOCK(thread, where, success) ->
        d_step {
            if
            :: memory[where] == expected ->
                won = true;
                memory[where] = desired;
                has_seen(thread, where, memory[where], success)
            :: else ->
                won = false;
                expected = memory[where];
                has_seen(thread, where, memory[where], failure)
            fi
        }
    }
}

/* Store number i of the thread reaches memory. */
inline leave(thread, i) {
    memory[pending[thread].place[i]] = pending[thread].value[i];
    has_seen(thread, pending[thread].place[i], pending[thread].value[i], RELAXED);
    buffer_index = i;
    do
    :: buffer_index + 1 < pending[thread].length ->
        pending[thread].place[buffer_index] = pending[thread].place[buffer_index + 1];
        pending[thread].value[buffer_index] = pending[thread].value[buffer_index + 1];
#ifdef WEAK
        pending[thread].releases[buffer_index] = pending[thread].releases[buffer_index + 1];
#endif
        buffer_index++
    :: else -> break
    od;
    pending[thread].length--;
    pending[thread].place[buffer_index] = 0; /* what is unused is always the same: fewer states */
#ifdef WEAK
    pending[thread].releases[buffer_index] = false;
#endif
    pending[thread].value[buffer_index] = 0
}

#define OVERTAKES(thread, i, j) (pending[thread].place[i] != pending[thread].place[j])
#define MAY_OVERTAKE(thread, i) (pending[thread].length > i && !pending[thread].releases[i])

proctype drain(byte thread) {
end:
    do
    :: d_step { pending[thread].length > 0 -> leave(thread, 0) }
#ifdef WEAK
    :: d_step { MAY_OVERTAKE(thread, 1) && OVERTAKES(thread, 1, 0) -> leave(thread, 1) }
    :: d_step {
        MAY_OVERTAKE(thread, 2) && OVERTAKES(thread, 2, 0) && OVERTAKES(thread, 2, 1) ->
        leave(thread, 2)
    }
    :: d_step {
        MAY_OVERTAKE(thread, 3) && OVERTAKES(thread, 3, 0) && OVERTAKES(thread, 3, 1) &&
        OVERTAKES(thread, 3, 2) ->
        leave(thread, 3)
    }
#endif
    od
}
