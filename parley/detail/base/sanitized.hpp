// A program under ThreadSanitizer or AddressSanitizer needs a library that is built in the same way. Otherwise the
// sanitizer reports errors that are none: it does not see how threads hand work on, nor on which stack a task runs.
// Such a program does not link, and the name of the missing symbol says why. docs/guide/debugging.md says how to get
// the library.
#pragma once

#if defined(__has_feature)
#define PARLEY_HAS_FEATURE(x) __has_feature(x)
#else
#define PARLEY_HAS_FEATURE(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || PARLEY_HAS_FEATURE(address_sanitizer)
#define PARLEY_ASAN 1
extern "C" const char parley_must_be_built_with_fsanitize_address;
namespace parley::inline v0 {
[[gnu::used]] inline const char* const needs_address_sanitizer = &parley_must_be_built_with_fsanitize_address;
}
#endif

#if defined(__SANITIZE_THREAD__) || PARLEY_HAS_FEATURE(thread_sanitizer)
#define PARLEY_TSAN 1
extern "C" const char parley_must_be_built_with_fsanitize_thread;
namespace parley::inline v0 {
[[gnu::used]] inline const char* const needs_thread_sanitizer = &parley_must_be_built_with_fsanitize_thread;
}
#endif
