// The version of Parley: the one place where it is written; the build and the package read it here. Every public header
// includes this one first, so that a compiler that cannot compile them says why, and stops.
#pragma once

#if defined(__cplusplus) && __cplusplus < 202002L
#error "Parley needs C++20: compile with -std=c++20 or newer"
#include <the_compiler_stops_here>  // there is no such file: nothing that follows would help
#elif !defined(__cpp_exceptions)
#error "Parley needs exceptions: compile without -fno-exceptions"
#include <the_compiler_stops_here>
#endif
#include <version>
#ifndef __cpp_lib_jthread
#error "Parley needs std::stop_token: with LLVM's libc++ before 20 compile with -fexperimental-library"
#include <the_compiler_stops_here>
#endif

#define PARLEY_VERSION_MAJOR 0
#define PARLEY_VERSION_MINOR 1
#define PARLEY_VERSION_PATCH 0
#define PARLEY_VERSION "0.1.0"

// All of Parley's code says `inline v0`, one word that names nothing else, for two reasons. Programs that were compiled for
// another version do not link. And the laboratory compiles the library a second time with -Dv0=papers, and links both copies
// into one program (lab/papers).
namespace parley::inline v0 {
inline constexpr int version_major = PARLEY_VERSION_MAJOR;
inline constexpr int version_minor = PARLEY_VERSION_MINOR;
inline constexpr int version_patch = PARLEY_VERSION_PATCH;
}  // namespace parley::inline v0
