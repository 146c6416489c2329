/* Does store_buffers.pml do what it says? Known small programs, one per -D switch; lab/models/run says for
 * each whether the assertion must hold. Nothing here models the library.
 *
 *   STORE_BUFFERING   two threads store, then load what the other stores; one must see the other
 *     LOCKED            the stores are read-modify-writes
 *   MESSAGE_PASSING   data, then a flag; who sees the flag must see the data
 *     WRITER, READER    memory orders of the flag's store and load
 *   SAME_PLACE        two stores to one place are seen in their order
 *   OWN_STORE         a thread sees its own store */
#define THREADS 2
#define LOCATIONS 2
#define LAGGING 2
#include "store_buffers.pml"

#define X 0
#define Y 1
#ifndef WRITER
#define WRITER RELAXED
#endif
#ifndef READER
#define READER RELAXED
#endif

byte seen[THREADS];
byte finished;

#ifdef STORE_BUFFERING
proctype writer(byte me) {
#ifdef LOCKED
    exchange(me, me, 1, SEQ_CST, seen[me]);
#else
    store(me, me, 1, RELEASE);
#endif
    load(me, 1 - me, ACQUIRE, seen[me]);
    finished++;
    finished == THREADS;
    assert(seen[0] == 1 || seen[1] == 1)
}
#endif

#ifdef OWN_STORE
proctype writer(byte me) {
    store(me, X, me + 1, RELAXED);
    load(me, X, RELAXED, seen[me]);
    assert(seen[me] != 0)
}
#endif

#ifdef MESSAGE_PASSING
proctype writer(byte me) {
    if
    :: me == 0 ->
        store(me, X, 1, PLAIN);
        store(me, Y, 1, WRITER)
    :: else ->
        load(me, Y, READER, seen[1]);
        if
        :: seen[1] == 1 -> load(me, X, PLAIN, seen[0]); assert(seen[0] == 1)
        :: else
        fi
    fi
}
#endif

#ifdef SAME_PLACE
proctype writer(byte me) {
    if
    :: me == 0 ->
        store(me, X, 1, RELAXED);
        store(me, X, 2, RELAXED)
    :: else ->
        load(me, X, RELAXED, seen[0]);
        load(me, X, RELAXED, seen[1]);
        assert(seen[1] >= seen[0])
    fi
}
#endif

init {
    atomic {
        run writer(0);
        run writer(1);
        run drain(0);
        run drain(1)
    }
}
