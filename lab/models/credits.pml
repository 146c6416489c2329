/* The credits: thread 0 takes, as the source of a pipeline does with its tokens; threads 1 .. GIVERS give
 * back what was taken, one or more at once. The taker calls take() TAKES times at most, then ends; it may end
 * at any moment before that, also while it waits. While it waits somebody else may wake it as well, OTHERS
 * times (a push, a stop): so it may mark itself again while a giver is still about to take the mark off.
 *
 * Claims:
 *   - no resume is lost: it never waits while its `enough` are there and nobody is about to tell it;
 *   - each time that it waits one giver at most says `resume`, and none if it has got something by itself;
 *   - never more than ALL are there or taken;
 *   - of end() and all give() exactly one says that all are there, and then they are;
 *   - who takes sees what those did who gave before, and so does who learns that all are there.
 * A resume may come early, after end() too: a giver that has seen one mark may take off the next one. Then the
 * taker looks once in vain, and marks itself again; nothing else may depend on it.
 * What is not in `memory` exists for the claims, and to hand the credits on. */
#ifndef GIVERS
#define GIVERS 2
#endif
#ifndef ALL
#define ALL 2
#endif
#ifndef TAKES
#define TAKES 3
#endif
#ifndef OTHERS
#define OTHERS 1
#endif

#define THREADS (GIVERS + 1)
#define TAKER 0
#define LOCATIONS (GIVERS + 2)
#define LAGGING THREADS
#define BUFFER 2
#include "store_buffers.pml"

#define WORD 0
#define ENOUGH 1
#define DONE(giver) (1 + (giver)) /* how often it has given: what it does before, no atomic */

#define AMOUNT 15
#define WAITING 16
#define ENDED 32

#ifdef NO_ACQUIRE_TAKE
#define TAKE_ORDER RELEASE
#else
#define TAKE_ORDER ACQ_REL
#endif
#ifdef NO_RELEASE_MARK
#define MARK_ORDER ACQUIRE
#else
#define MARK_ORDER ACQ_REL
#endif
#if defined(NO_RELEASE_GIVE)
#define GIVE_ORDER ACQUIRE
#elif defined(NO_ACQUIRE_GIVE)
#define GIVE_ORDER RELEASE
#else
#define GIVE_ORDER ACQ_REL
#endif
#ifdef NO_ACQUIRE_END
#define END_ORDER RELEASE
#else
#define END_ORDER ACQ_REL
#endif

byte outside;       /* taken and not given */
byte on_the_way;    /* of these, what no giver has yet */
byte given[THREADS]; /* how often */
byte about_to_tell; /* givers that have given and not yet said what give() says */
bool marked;        /* for this mark nobody has said `resume` */
bool woken;
bool no_more; /* end() was called */
byte learned; /* how many were told that all are there */
byte finished;

/* What each giver has done before it gave. */
inline see_all() {
    who = 1;
    do
    :: who <= GIVERS ->
        /* flow.cpp, give_back(): case sync::credits::given::finished: finish(); break; */
        load(me, DONE(who), PLAIN, seen);
        assert(seen == given[who]);
        who++
    :: else -> break
    od;
    who = 0;
    seen = 0
}

inline learn() {
    atomic {
        learned++;
        assert(learned == 1 && no_more && outside == 0)
    }
    see_all()
}

inline finish() {
    atomic {
        finished++;
        if
        :: finished == THREADS -> assert(learned == 1)
        :: else
        fi
    }
}

/* --- those who give ----------------------------------------------------------------------------- */

inline count_given() {
    outside = outside - n;
    given[me]++;
    about_to_tell++
}

inline resume() {
    assert(marked);
    marked = false;
    woken = true /* flow.cpp, give_back(): case sync::credits::given::resume: source_->wake(); break; */
}

inline give() {
#ifdef PLAIN_GIVE
    load(me, WORD, SEQ_CST, now); /* fault: what others give or mark in between is wiped out */
    atomic {
        store(me, WORD, now + n, RELEASE); /* fault: the same */
        count_given()
    }
#else
    atomic {
        /* credits.hpp, give(): now = word_.fetch_add(n, std::memory_order_acq_rel) + n; */
        fetch_add(me, WORD, n, GIVE_ORDER, now);
        count_given()
    }
#endif
#ifdef LOOK_AGAIN
    load(me, WORD, SEQ_CST, now); /* fault: another may have brought the last ones meanwhile */
#else
    now = now + n;
#endif
    assert((now & AMOUNT) <= ALL);
    if
    :: (now & ENDED) != 0 -> /* credits.hpp, give(): if ((now & ended) != 0) */
        if
        :: (now & AMOUNT) == ALL -> learn() /* credits.hpp, give(): return (now & amount) == all_ ? given::finished */
        :: else
        fi
    :: (now & (ENDED | WAITING)) == WAITING ->
        /* credits.hpp, give(): (now & amount) < enough_.load(std::memory_order_relaxed)) return given::nothing; */
        load(me, ENOUGH, RELAXED, seen);
        if
        :: (now & AMOUNT) >= seen ->
            atomic {
#ifdef NO_CLEAR
                now = WAITING; /* fault: the mark stays for the next one */
#else
                /* credits.hpp, give(): word_.fetch_and(~waiting, std::memory_order_acq_rel) & waiting) != 0; */
                fetch_and(me, WORD, WAITING, ACQ_REL, now);
#endif
                if
#ifdef RESUME_BY_ALL
                :: true -> resume() /* fault: another has taken the mark off */
#else
                :: (now & WAITING) != 0 -> resume()
#endif
                :: else
                fi
            }
        :: else
        fi
    :: else
    fi;
    about_to_tell--;
    seen = 0;
    now = 0
}

proctype giver(byte me) {
    byte n, now, seen, who;
    do
    :: atomic { on_the_way > 0 -> on_the_way--; n++ } /* one, or one more at once */
    :: n > 0 ->
        /* What the parcel held has been left. */
        store(me, DONE(me), given[me] + 1, PLAIN); /* collector.hpp, handle(): delete &p; */
        give(); /* collector.hpp, handle(): flow_.give_back(tokens); */
        n = 0
    :: n == 0 && no_more && on_the_way == 0 -> break
    od;
    finish()
}

/* --- the taker ---------------------------------------------------------------------------------- */

inline say_what_is_enough() {
    /* credits.hpp, take(): enough_.store(enough, std::memory_order_relaxed); */
    store(me, ENOUGH, enough, RELAXED)
}

/* `n` is what take() returns. */
inline take() {
    /* credits.hpp, take(): std::uint64_t seen = word_.load(std::memory_order_relaxed); */
    load(me, WORD, RELAXED, now);
    do
    :: (now & AMOUNT) < least ->
#ifndef ENOUGH_AFTER_MARK
        say_what_is_enough();
#endif
#if defined(NO_MARK)
        won = true; /* fault: nobody will know that it waits */
#elif defined(MARK_WITHOUT_LOOK)
        atomic {
            fetch_or(me, WORD, WAITING, MARK_ORDER, now); /* fault: enough may have come meanwhile */
            won = true;
            marked = true
        }
#else
        atomic {
            /* credits.hpp, take(): word_.compare_exchange_weak(seen, seen | waiting, std::memory_order_acq_rel, */
            compare_exchange(me, WORD, now, (now | WAITING), MARK_ORDER, RELAXED, won);
            if
            :: won -> marked = true
            :: else
            fi
        }
#endif
#ifdef ENOUGH_AFTER_MARK
        say_what_is_enough(); /* fault: who sees the mark may read what was enough before */
#endif
        if
        :: won -> n = 0; break
        :: else
        fi
    :: else ->
        atomic {
#ifdef KEEP_MARK
            /* fault: it does not wait any more */
            compare_exchange(me, WORD, now, now - least, TAKE_ORDER, RELAXED, won);
#else
            /* credits.hpp, take(): word_.compare_exchange_weak(seen, (seen - n) & ~waiting, std::memory_order_acq_rel, */
            compare_exchange(me, WORD, now, ((now - least) & (255 - WAITING)), TAKE_ORDER, RELAXED, won);
#endif
            if
            :: won ->
                n = least;
                outside = outside + n;
                marked = false;
                assert(outside <= ALL);
                /* Any of the givers; all that it has given was there before. */
                who = 1;
                do
                :: who < GIVERS -> who++
                :: break
                od;
                until_now = given[who];
                break
            :: else
            fi
        }
    od;
    won = false;
    now = 0
}

inline end() {
#if defined(PLAIN_END)
    load(me, WORD, SEQ_CST, now); /* fault: what is given in between is wiped out */
    atomic {
        store(me, WORD, now | ENDED, RELEASE); /* fault: the same */
        no_more = true
    }
#elif defined(END_LOOKS_BEFORE)
    load(me, WORD, SEQ_CST, now); /* fault: who gives the last ones in between does not see the end */
    atomic {
        fetch_or(me, WORD, ENDED, END_ORDER, seen); /* fault: the same */
        no_more = true
    }
#else
    atomic {
        /* credits.hpp, end(): return (word_.fetch_or(ended, std::memory_order_acq_rel) & amount) == all_; */
        fetch_or(me, WORD, ENDED, END_ORDER, now);
        no_more = true
    }
#endif
    if
    :: (now & AMOUNT) == ALL -> learn() /* flow.cpp, source_ended(): if (tokens_.end()) finish(); */
    :: else
    fi
}

proctype taker() {
    byte me = TAKER;
    byte takes, others, least, enough, n, now, seen, who, until_now;
    bool won;
    do
    :: takes < TAKES ->
        takes++;
        least = 1;
        do
        :: least < ALL -> least++
        :: break
        od;
        enough = least;
        do
        :: enough < ALL -> enough++
        :: break
        od;
        take(); /* source.hpp, take_tokens(): return flow_.tokens().take(wanted, wanted, enough); */
        if
        :: n > 0 ->
            /* What comes with them may be used again, the place in an inbox say. */
            /* actor.hpp, put(): else ring_[p.number & mask_].send(&p); */
            load(me, DONE(who), PLAIN, seen);
            assert(seen >= until_now);
            atomic {
                on_the_way = on_the_way + n;
                n = 0;
                seen = 0;
                who = 0;
                until_now = 0
            }
        :: else ->
            if
            :: woken -> woken = false
            :: others < OTHERS -> others++
            :: !woken && about_to_tell == 0 && (memory[WORD] & AMOUNT) >= enough -> assert(false)
            fi
        fi
    :: break
    od;
    least = 0;
    enough = 0;
    end();
    finish()
}

init {
    byte i;
    atomic {
        memory[WORD] = ALL;
#ifdef WITH_COPIES
        do
        :: i < LAGGING -> copy[i].at[WORD] = ALL; i++
        :: else -> break
        od;
        i = 0;
#endif
        do
        :: i < THREADS -> run drain(i); i++
        :: else -> break
        od;
        run taker();
        i = 1;
        do
        :: i < THREADS -> run giver(i); i++
        :: else -> break
        od;
        i = 0
    }
}
