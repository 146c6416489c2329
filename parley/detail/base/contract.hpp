// Contracts that are checked in debug and sanitizer builds, and cost nothing in others.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace parley::inline v0::base {

[[noreturn, gnu::cold, gnu::noinline]] inline void contract_failed(const char* what, const char* file, int line) {
    std::fprintf(stderr, "parley: contract broken: %s (%s:%d)\n", what, file, line);
    std::abort();
}

}  // namespace parley::inline v0::base

#ifdef PARLEY_CONTRACTS
#define PARLEY_REQUIRE(condition) ((condition) ? void(0) : ::parley::base::contract_failed(#condition, __FILE__, __LINE__))
#else
#define PARLEY_REQUIRE(condition) void(0)
#endif
