// The declarations of tasking.h become this. Each declared function has a struct for its arguments and a function that
// calls it with such a struct. Functions with its parameters make tasks of it, so arguments are checked and converted
// as in a call. Nothing here is for users.
#pragma once

#include "tasking_calls.h"

// TASKING_COUNT_ counts its arguments, from 1 to 17: 16, and the place for the result. The other two say whether there
// are more than one, or two.
#define TASKING_PICK_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, picked, ...) picked
#define TASKING_COUNT_(...) \
    TASKING_PICK_(__VA_ARGS__, MORE_THAN_16, MORE_THAN_16, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, ~)
#define TASKING_AFTER_1_(...)                                                                                             \
    TASKING_PICK_(__VA_ARGS__, SOME_, SOME_, SOME_, SOME_, SOME_, SOME_, SOME_, SOME_, SOME_, SOME_, SOME_, SOME_, SOME_, \
                  SOME_, SOME_, SOME_, SOME_, SOME_, NONE_, ~)
#define TASKING_AFTER_2_(type, ...) TASKING_AFTER_1_(__VA_ARGS__)

#define TASKING_CAT_(a, b) TASKING_CAT_NOW_(a, b)
#define TASKING_CAT_NOW_(a, b) a##b
// Names the struct of arguments: f_tasking_async_2, f_tasking_future_2. The number is for C++, where functions of one
// name that differ in it may all be declared.
#define TASKING_STRUCT_(f, kind, ...) TASKING_CAT_(f##_tasking_##kind##_, TASKING_COUNT_(__VA_ARGS__))

// Makes a list of m(s, name) for each name.
#define TASKING_LIST_(m, s, ...) TASKING_CAT_(TASKING_LIST_, TASKING_COUNT_(__VA_ARGS__))(m, s, __VA_ARGS__)
#define TASKING_LIST_1(m, s, a) m(s, a)
#define TASKING_LIST_2(m, s, a, ...) m(s, a), TASKING_LIST_1(m, s, __VA_ARGS__)
#define TASKING_LIST_3(m, s, a, ...) m(s, a), TASKING_LIST_2(m, s, __VA_ARGS__)
#define TASKING_LIST_4(m, s, a, ...) m(s, a), TASKING_LIST_3(m, s, __VA_ARGS__)
#define TASKING_LIST_5(m, s, a, ...) m(s, a), TASKING_LIST_4(m, s, __VA_ARGS__)
#define TASKING_LIST_6(m, s, a, ...) m(s, a), TASKING_LIST_5(m, s, __VA_ARGS__)
#define TASKING_LIST_7(m, s, a, ...) m(s, a), TASKING_LIST_6(m, s, __VA_ARGS__)
#define TASKING_LIST_8(m, s, a, ...) m(s, a), TASKING_LIST_7(m, s, __VA_ARGS__)
#define TASKING_LIST_9(m, s, a, ...) m(s, a), TASKING_LIST_8(m, s, __VA_ARGS__)
#define TASKING_LIST_10(m, s, a, ...) m(s, a), TASKING_LIST_9(m, s, __VA_ARGS__)
#define TASKING_LIST_11(m, s, a, ...) m(s, a), TASKING_LIST_10(m, s, __VA_ARGS__)
#define TASKING_LIST_12(m, s, a, ...) m(s, a), TASKING_LIST_11(m, s, __VA_ARGS__)
#define TASKING_LIST_13(m, s, a, ...) m(s, a), TASKING_LIST_12(m, s, __VA_ARGS__)
#define TASKING_LIST_14(m, s, a, ...) m(s, a), TASKING_LIST_13(m, s, __VA_ARGS__)
#define TASKING_LIST_15(m, s, a, ...) m(s, a), TASKING_LIST_14(m, s, __VA_ARGS__)
#define TASKING_LIST_16(m, s, a, ...) m(s, a), TASKING_LIST_15(m, s, __VA_ARGS__)
#define TASKING_LIST_17(m, s, a, ...) m(s, a), TASKING_LIST_16(m, s, __VA_ARGS__)

#ifdef __cplusplus
// The type of a value. An object that a reference refers to is gone when the task runs.
template <class T>
struct parley_tasking_value {
    using type = T;
};
template <class T>
struct parley_tasking_value<T&> {
    static_assert(sizeof(T*) == 0, "arguments of tasks in tasking.h cannot be references: pass a value or a pointer");
    using type = T;
};
template <class T>
struct parley_tasking_value<T&&> : parley_tasking_value<T&> {};
#define TASKING_TYPE_(s, name) parley_tasking_value<decltype(s::name)>::type
#define TASKING_AT_(s, at) static_cast<struct s*>(at)
#define TASKING_BYTES_AT_(at) static_cast<char*>(at)
// Arguments and results are copied as bytes, and nobody destroys them.
#define TASKING_PLAIN_(type) \
    static_assert(__is_trivially_copyable(type), "arguments and results of tasks in tasking.h must be plain data");
#define TASKING_REQUIRE_(what, text) static_assert(what, text);
#else
#define TASKING_TYPE_(s, name) __typeof__(((struct s*)0)->name)
#define TASKING_AT_(s, at) ((struct s*)(at))
#define TASKING_BYTES_AT_(at) ((char*)(at))
#define TASKING_PLAIN_(type)
#define TASKING_REQUIRE_(what, text) _Static_assert(what, text);
#endif
#define TASKING_PARAMETER_(s, name) TASKING_TYPE_(s, name) name
#define TASKING_ITSELF_(s, name) name
#define TASKING_FIELD_(s, name) TASKING_AT_(s, tasking_at_)->name

#define TASKING_HELPER_ static inline __attribute__((unused))
// The semicolon after a declaration ends this.
#define TASKING_END_(f, kind) struct f##_tasking_##kind##_is_declared

#define TASKING_ARGUMENTS_(s, members) \
    struct s {                         \
        members;                       \
    };                                 \
    TASKING_PLAIN_(struct s)           \
    TASKING_REQUIRE_(__alignof__(struct s) <= PARLEY_TASKING_LARGE_ALIGNMENT, "arguments are aligned to 64 at most")

#define TASKING_FITS_(s, KIND) \
    (sizeof(struct s) <= PARLEY_TASKING_##KIND##_ROOM && __alignof__(struct s) <= PARLEY_TASKING_##KIND##_ALIGNMENT)

#define TASKING_STORE_(s, to, ...)                                                        \
    {                                                                                     \
        const struct s tasking_given_ = {TASKING_LIST_(TASKING_ITSELF_, s, __VA_ARGS__)}; \
        __builtin_memcpy(TASKING_BYTES_AT_(to), &tasking_given_, sizeof tasking_given_);  \
    }

// Makes a function that makes a task of one kind: `name`(numbers..., arguments...).
#define TASKING_MAKER_(name, numbers, KIND, kind, queue, s, ...)                                                          \
    TASKING_HELPER_ void name(numbers TASKING_LIST_(TASKING_PARAMETER_, s, __VA_ARGS__)) {                                \
        const int tasking_fits_ = TASKING_FITS_(s, KIND);                                                                 \
        void* const tasking_task_ = tasking_fits_ ? parley_tasking_small_##kind(&s##_call)                                \
                                                  : parley_tasking_large_##kind(&s##_call, sizeof(struct s));             \
        TASKING_STORE_(                                                                                                   \
            s, TASKING_BYTES_AT_(tasking_task_) + (tasking_fits_ ? PARLEY_TASKING_##KIND##_AT : PARLEY_TASKING_LARGE_AT), \
            __VA_ARGS__)                                                                                                  \
        queue;                                                                                                            \
    }
// Makes such a function for a function without arguments.
#define TASKING_BARE_MAKER_(name, numbers, kind, queue, s)                  \
    TASKING_HELPER_ void name(numbers) {                                    \
        void* const tasking_task_ = parley_tasking_small_##kind(&s##_call); \
        queue;                                                              \
    }
#define TASKING_QUEUE_ parley_tasking_queue(tasking_task_)
#define TASKING_QUEUE_LOOP_ parley_tasking_queue_loop(tasking_task_, tasking_first_, tasking_last_)
#define TASKING_RANGE_ long tasking_first_, long tasking_last_
#define TASKING_RANGE_AND_ TASKING_RANGE_,

// These are for ASYNC and SPAWN.
#define TASKING_ASYNC_MAKERS_(f, s, ...)                                            \
    TASKING_MAKER_(f##_tasking_async, , TASK, task, TASKING_QUEUE_, s, __VA_ARGS__) \
    TASKING_MAKER_(f##_tasking_spawn, , CHILD, child, TASKING_QUEUE_, s, __VA_ARGS__)
#define TASKING_BARE_ASYNC_MAKERS_(f, s)                                  \
    TASKING_BARE_MAKER_(f##_tasking_async, void, task, TASKING_QUEUE_, s) \
    TASKING_BARE_MAKER_(f##_tasking_spawn, void, child, TASKING_QUEUE_, s)

// These are for ASYNC_FOR and ASYNC_FOR_SINGLE.
#define TASKING_LOOP_MAKERS_(f, s, ...)                                                                           \
    TASKING_MAKER_(f##_tasking_for, TASKING_RANGE_AND_, LOOP, loop, TASKING_QUEUE_LOOP_, s, __VA_ARGS__)          \
    TASKING_HELPER_ void f##_tasking_single(long tasking_i_, TASKING_LIST_(TASKING_PARAMETER_, s, __VA_ARGS__)) { \
        f##_tasking_for(tasking_i_, parley_tasking_after(tasking_i_), __VA_ARGS__);                               \
    }
#define TASKING_BARE_LOOP_MAKERS_(f, s)                                                \
    TASKING_BARE_MAKER_(f##_tasking_for, TASKING_RANGE_, loop, TASKING_QUEUE_LOOP_, s) \
    TASKING_HELPER_ void f##_tasking_single(long tasking_i_) {                         \
        f##_tasking_for(tasking_i_, parley_tasking_after(tasking_i_));                 \
    }

#define TASKING_CALL_(s) static __attribute__((unused)) void s##_call(void* tasking_at_)
#define TASKING_FUTURE_CALL_(s) static __attribute__((unused)) void s##_call(void* tasking_at_, void* tasking_result_)
// Calls f(arguments...), with arguments from the struct.
#define TASKING_CALLED_(f, s, ...) f(TASKING_LIST_(TASKING_FIELD_, s, __VA_ARGS__))

// These are for ASYNC_VOID_DECL.
#define TASKING_VOID_DECL_NONE_(f)                     \
    TASKING_CALL_(f##_tasking_async_0) {               \
        (void)tasking_at_;                             \
        f();                                           \
    }                                                  \
    TASKING_BARE_ASYNC_MAKERS_(f, f##_tasking_async_0) \
    TASKING_BARE_LOOP_MAKERS_(f, f##_tasking_async_0)  \
    TASKING_END_(f, async)
#define TASKING_VOID_DECL_SOME_(f, members, ...) \
    TASKING_VOID_DECL_IN_(f, TASKING_STRUCT_(f, async, __VA_ARGS__), members, __VA_ARGS__)
#define TASKING_VOID_DECL_IN_(f, s, members, ...) TASKING_VOID_DECL_NOW_(f, s, members, __VA_ARGS__)
#define TASKING_VOID_DECL_NOW_(f, s, members, ...)           \
    TASKING_ARGUMENTS_(s, members)                           \
    TASKING_CALL_(s) { TASKING_CALLED_(f, s, __VA_ARGS__); } \
    TASKING_ASYNC_MAKERS_(f, s, __VA_ARGS__)                 \
    TASKING_LOOP_MAKERS_(f, s, __VA_ARGS__)                  \
    TASKING_END_(f, async)

// These are for ASYNC_DECL. The place for the result is one more argument.
#define TASKING_ASYNC_DECL_NONE_(type, f)                      \
    struct f##_tasking_async_0 {                               \
        type* tasking_to_;                                     \
    };                                                         \
    TASKING_PLAIN_(type)                                       \
    TASKING_CALL_(f##_tasking_async_0) {                       \
        type tasking_value_ = f();                             \
        TASKING_KEEP_(f##_tasking_async_0)                     \
    }                                                          \
    TASKING_ASYNC_MAKERS_(f, f##_tasking_async_0, tasking_to_) \
    TASKING_END_(f, async)
#define TASKING_ASYNC_DECL_SOME_(type, f, members, ...) \
    TASKING_ASYNC_DECL_IN_(type, f, TASKING_STRUCT_(f, async, __VA_ARGS__), members, __VA_ARGS__)
#define TASKING_ASYNC_DECL_IN_(type, f, s, members, ...) TASKING_ASYNC_DECL_NOW_(type, f, s, members, __VA_ARGS__)
#define TASKING_ASYNC_DECL_NOW_(type, f, s, members, ...)         \
    TASKING_ARGUMENTS_(s, members; type * tasking_to_)            \
    TASKING_PLAIN_(type)                                          \
    TASKING_CALL_(s) {                                            \
        type tasking_value_ = TASKING_CALLED_(f, s, __VA_ARGS__); \
        TASKING_KEEP_(s)                                          \
    }                                                             \
    TASKING_ASYNC_MAKERS_(f, s, __VA_ARGS__, tasking_to_)         \
    TASKING_END_(f, async)
#define TASKING_KEEP_(s) \
    if (TASKING_AT_(s, tasking_at_)->tasking_to_) *TASKING_AT_(s, tasking_at_)->tasking_to_ = tasking_value_;

// These are for FUTURE_DECL and FUTURE_VOID_DECL. `kept` is what the call becomes; `bytes` and `alignment` are the
// result's.
#define TASKING_FUTURE_MAKER_(f, s, bytes, alignment, ...)                                                            \
    TASKING_HELPER_ __attribute__((warn_unused_result)) parley_tasking_future f##_tasking_future(                     \
        TASKING_LIST_(TASKING_PARAMETER_, s, __VA_ARGS__)) {                                                          \
        if (TASKING_FITS_(s, FUTURE) && (bytes) <= PARLEY_TASKING_FUTURE_ROOM &&                                      \
            (alignment) <= PARLEY_TASKING_FUTURE_ALIGNMENT) {                                                         \
            const parley_tasking_future tasking_made_ = parley_tasking_small_future(&s##_call, bytes);                \
            TASKING_STORE_(s, TASKING_BYTES_AT_(tasking_made_.task) + PARLEY_TASKING_FUTURE_AT, __VA_ARGS__)          \
            parley_tasking_queue_future(tasking_made_);                                                               \
            return tasking_made_;                                                                                     \
        }                                                                                                             \
        const parley_tasking_future tasking_large_ = parley_tasking_large_future(&s##_call, sizeof(struct s), bytes); \
        TASKING_STORE_(s, parley_tasking_arguments(tasking_large_), __VA_ARGS__)                                      \
        parley_tasking_queue_future(tasking_large_);                                                                  \
        return tasking_large_;                                                                                        \
    }
#define TASKING_BARE_FUTURE_MAKER_(f, s, bytes, alignment)                                               \
    TASKING_HELPER_ __attribute__((warn_unused_result)) parley_tasking_future f##_tasking_future(void) { \
        const parley_tasking_future tasking_made_ =                                                      \
            (bytes) <= PARLEY_TASKING_FUTURE_ROOM && (alignment) <= PARLEY_TASKING_FUTURE_ALIGNMENT      \
                ? parley_tasking_small_future(&s##_call, bytes)                                          \
                : parley_tasking_large_future(&s##_call, 0, bytes);                                      \
        parley_tasking_queue_future(tasking_made_);                                                      \
        return tasking_made_;                                                                            \
    }
#define TASKING_RESULT_(type, value)                                               \
    {                                                                              \
        type tasking_value_ = value;                                               \
        __builtin_memcpy(tasking_result_, &tasking_value_, sizeof tasking_value_); \
    }

#define TASKING_FUTURE_DECL_NONE_(type, f)                                               \
    TASKING_PLAIN_(type)                                                                 \
    TASKING_FUTURE_CALL_(f##_tasking_future_0) {                                         \
        (void)tasking_at_;                                                               \
        TASKING_RESULT_(type, f())                                                       \
    }                                                                                    \
    TASKING_BARE_FUTURE_MAKER_(f, f##_tasking_future_0, sizeof(type), __alignof__(type)) \
    TASKING_END_(f, future)
#define TASKING_FUTURE_DECL_SOME_(type, f, members, ...) \
    TASKING_FUTURE_DECL_IN_(type, f, TASKING_STRUCT_(f, future, __VA_ARGS__), members, __VA_ARGS__)
#define TASKING_FUTURE_DECL_IN_(type, f, s, members, ...) TASKING_FUTURE_DECL_NOW_(type, f, s, members, __VA_ARGS__)
#define TASKING_FUTURE_DECL_NOW_(type, f, s, members, ...)                                                    \
    TASKING_ARGUMENTS_(s, members)                                                                            \
    TASKING_PLAIN_(type)                                                                                      \
    TASKING_FUTURE_CALL_(s){TASKING_RESULT_(type, TASKING_CALLED_(f, s, __VA_ARGS__))} TASKING_FUTURE_MAKER_( \
        f, s, sizeof(type), __alignof__(type), __VA_ARGS__) TASKING_END_(f, future)

#define TASKING_FUTURE_VOID_DECL_NONE_(f)                     \
    TASKING_FUTURE_CALL_(f##_tasking_future_0) {              \
        (void)tasking_at_;                                    \
        (void)tasking_result_;                                \
        f();                                                  \
    }                                                         \
    TASKING_BARE_FUTURE_MAKER_(f, f##_tasking_future_0, 0, 1) \
    TASKING_END_(f, future)
#define TASKING_FUTURE_VOID_DECL_SOME_(f, members, ...) \
    TASKING_FUTURE_VOID_DECL_IN_(f, TASKING_STRUCT_(f, future, __VA_ARGS__), members, __VA_ARGS__)
#define TASKING_FUTURE_VOID_DECL_IN_(f, s, members, ...) TASKING_FUTURE_VOID_DECL_NOW_(f, s, members, __VA_ARGS__)
#define TASKING_FUTURE_VOID_DECL_NOW_(f, s, members, ...) \
    TASKING_ARGUMENTS_(s, members)                        \
    TASKING_FUTURE_CALL_(s) {                             \
        (void)tasking_result_;                            \
        TASKING_CALLED_(f, s, __VA_ARGS__);               \
    }                                                     \
    TASKING_FUTURE_MAKER_(f, s, 0, 1, __VA_ARGS__)        \
    TASKING_END_(f, future)
