#include "words.h"

#include "check.h"
#include "tasking.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
    char name[5];
    double x;
    const char* text;
} mixed;

typedef struct {
    double values[40];
} large;

typedef struct {
    char byte;
} __attribute__((aligned(32))) wide;

static mixed changed(mixed m, double by, const char* const text) {
    m.x += by;
    m.text = text;
    return m;
}
ASYNC_DECL(mixed, changed, mixed m; double by; const char* const text, m, by, text);
FUTURE_DECL(mixed, changed, mixed m; double by; const char* const text, m, by, text);

static large scaled(const large l, double by) {
    large result;
    for (int i = 0; i < 40; ++i) result.values[i] = by * l.values[i];
    return result;
}
ASYNC_DECL(large, scaled, const large l; double by, l, by);
FUTURE_DECL(large, scaled, const large l; double by, l, by);

static double* third(double* of, void (*noted)(int)) {
    noted(3);
    return of + 2;
}
typedef void (*noting)(int);
ASYNC_DECL(double*, third, double* of; noting noted, of, noted);
FUTURE_DECL(double*, third, double* of; noting noted, of, noted);

static bool is_aligned(wide w) { return w.byte == 7 && (size_t)&w % 32 == 0; }
ASYNC_DECL(bool, is_aligned, wide w, w);
FUTURE_DECL(bool, is_aligned, wide w, w);

static long double halved(long double x) { return x / 2; }
ASYNC_DECL(long double, halved, long double x, x);
FUTURE_DECL(long double, halved, long double x, x);

static int last_note;
static void note(int n) { last_note = n; }

static large ramp(void) {
    large l;
    for (int i = 0; i < 40; ++i) l.values[i] = i;
    return l;
}

// By ASYNC and by SPAWN.
#define BOTH_WAYS(check, ...) \
    ASYNC(__VA_ARGS__);       \
    TASKING_BARRIER();        \
    check;                    \
    SPAWN(__VA_ARGS__);       \
    SYNC();                   \
    check

void c_tasks_with_structs_doubles_and_pointers(void) {
    mixed m = {"four", 1.5, NULL}, m2;
    BOTH_WAYS(CHECK(m2.x == 2.0 && strcmp(m2.name, "four") == 0 && strcmp(m2.text, "text") == 0);
              memset(&m2, 0, sizeof m2), changed, m, 0.5, "text", &m2);
    large l;
    BOTH_WAYS(CHECK(l.values[39] == 78.0 && l.values[0] == 0.0); memset(&l, 0, sizeof l), scaled, ramp(), 2.0, &l);
    double numbers[3] = {1, 2, 3}, *found;
    BOTH_WAYS(CHECK(found == numbers + 2 && last_note == 3); last_note = 0, third, numbers, note, &found);
    bool aligned = false;
    BOTH_WAYS(CHECK(aligned); aligned = false, is_aligned, (wide){7}, &aligned);
    long double half = 0;
    BOTH_WAYS(CHECK(half == 1.25L); half = 0, halved, 2.5L, &half);
    ASYNC(halved, 2.5L, NULL);  // the result is dropped
    TASKING_BARRIER();
}

void c_futures_of_structs_doubles_and_pointers(void) {
    mixed m = {"four", 1.5, NULL};
    m = AWAIT(FUTURE(changed, m, 0.5, "text"), mixed);
    CHECK(m.x == 2.0 && strcmp(m.name, "four") == 0 && strcmp(m.text, "text") == 0);
    const large l = AWAIT(FUTURE(scaled, ramp(), 2), large);
    CHECK(l.values[39] == 78.0 && l.values[0] == 0.0);
    double numbers[3] = {1, 2, 3};
    CHECK(AWAIT(FUTURE(third, numbers, note), double*) == numbers + 2);
    CHECK(last_note == 3);
    last_note = 0;
    AWAIT(FUTURE(third, numbers, note), double*);  // for what it does
    CHECK(last_note == 3);
    CHECK(AWAIT(FUTURE(is_aligned, (wide){7}), bool));
    CHECK(AWAIT(FUTURE(halved, 2.5L), long double) == 1.25L);
    // Several at once, awaited in another order.
    future all[20];
    for (int i = 0; i < 20; ++i) all[i] = FUTURE(scaled, ramp(), i);
    for (int i = 0; i < 20; ++i) {
        const int which = i * 7 % 20;
        CHECK(AWAIT(all[which], large).values[1] == (double)which);
    }
}

static int plus(int a, int b) { return a + b; }
ASYNC_DECL(int, plus, int a; int b, a, b);
FUTURE_DECL(int, plus, int a; int b, a, b);

void c_tasks_that_are_declared_for_both(void) {
    int s = 0;
    ASYNC(plus, 1, 2, &s);
    CHECK(AWAIT(FUTURE(plus, 4, 5), int) == 9);
    TASKING_BARRIER();
    CHECK(s == 3);
}

static double kept;
static void keep(double x, unsigned char c) { kept = x + c; }
ASYNC_VOID_DECL(keep, double x; unsigned char c, x, c);

void c_arguments_are_converted_as_in_a_call(void) {
    int i = 2;
    ASYNC(keep, i++, 'a');
    TASKING_BARRIER();
    CHECK(kept == 2 + 'a');
    CHECK(i == 3);
}

void c_futures_within_arguments_of_futures(void) {
    CHECK(AWAIT(FUTURE(plus, AWAIT(FUTURE(plus, 1, 2), int), AWAIT(FUTURE(plus, 3, 4), int)), int) == 10);
}

static future never, at_first = FUTURE_NONE;

void c_futures_that_are_none(void) {
    future x = FUTURE_NONE;
    CHECK(future_is_none(x) && future_is_none(never) && future_is_none(at_first));
    x = FUTURE(plus, 1, 2);
    CHECK(!future_is_none(x));
    CHECK(AWAIT(x, int) == 3);
    x = FUTURE_NONE;
    CHECK(future_is_none(x));
}

static int number_here(void) { return tasking_worker_index(); }
FUTURE_DECL(int, number_here);

void c_numbers_of_workers(void) {
    CHECK(tasking_worker_index() == 0);
    for (int i = 0; i < 100; ++i) {
        const int there = AWAIT(FUTURE(number_here), int);
        CHECK(there >= 0 && (unsigned)there < tasking_workers());
    }
}

FUTURE_DECL(int, c_fib, int n, n);
int c_fib(int n) {
    if (n < 2) return n;
    const future x = FUTURE(c_fib, n - 1);
    const int y = c_fib(n - 2);
    return AWAIT(x, int) + y;
}
