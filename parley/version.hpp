/// @file
/// The version of Parley: the one place where it is written; the build and the package read it here. Every public header
/// includes this one first, so that a compiler that cannot compile them says why, and stops.
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

/// Each release of another minor number may change the interface.
#define PARLEY_VERSION_MAJOR 0
/// A new one may bring new words, and take others away.
#define PARLEY_VERSION_MINOR 1
/// A new one mends, and changes no interface.
#define PARLEY_VERSION_PATCH 0
/// All three, as text.
#define PARLEY_VERSION "0.1.0"

// All of Parley's code says `inline v0`, one word that names nothing else, for two reasons. Programs that were compiled for
// another version do not link. And the laboratory compiles the library a second time with -Dv0=papers, and links both copies
// into one program (lab/papers).
/// Parallelism for irregular work: calls that may run in parallel, tasks, futures, loops, algorithms and streams.
///
/// Descriptions name two papers by letters. TH is Andreas Prell's thesis, *Embracing Explicit Communication in
/// Work-Stealing Runtime Systems* (2016). CH is Andreas Prell and Thomas Rauber, *Channel-based Work Stealing* (2014).
namespace parley::inline v0 {
/// #PARLEY_VERSION_MAJOR, for code that uses no macros.
inline constexpr int version_major = PARLEY_VERSION_MAJOR;
/// #PARLEY_VERSION_MINOR, for code that uses no macros.
inline constexpr int version_minor = PARLEY_VERSION_MINOR;
/// #PARLEY_VERSION_PATCH, for code that uses no macros.
inline constexpr int version_patch = PARLEY_VERSION_PATCH;
}  // namespace parley::inline v0
