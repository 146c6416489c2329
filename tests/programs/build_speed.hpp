// Which tests are too long for this build.
#pragma once

namespace parley_tests {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr bool is_fast_build = false;
#elif defined(__has_feature)
constexpr bool is_fast_build = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
constexpr bool is_fast_build = true;
#endif

}  // namespace parley_tests
