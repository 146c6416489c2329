// What this build can do, and what would take too long in it.
#pragma once

namespace parley_tests {

#if defined(__has_feature)
#define PARLEY_TEST_HAS_FEATURE(x) __has_feature(x)
#else
#define PARLEY_TEST_HAS_FEATURE(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || PARLEY_TEST_HAS_FEATURE(address_sanitizer)
inline constexpr bool has_address_sanitizer = true;
#else
inline constexpr bool has_address_sanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__) || PARLEY_TEST_HAS_FEATURE(thread_sanitizer)
inline constexpr bool has_thread_sanitizer = true;
#else
inline constexpr bool has_thread_sanitizer = false;
#endif

#undef PARLEY_TEST_HAS_FEATURE

inline constexpr bool is_sanitized = has_address_sanitizer || has_thread_sanitizer;

// Ten times slower and more.
#if defined(__OPTIMIZE__)
inline constexpr bool is_slow = is_sanitized;
#else
inline constexpr bool is_slow = true;
#endif

// ThreadSanitizer has a thread of its own in each process, and lets no child of a process with threads start any.
inline constexpr bool children_have_threads_of_their_own = !has_thread_sanitizer;

}  // namespace parley_tests
