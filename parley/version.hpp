/// @file
/// The version of Parley. The build and the package read it here. Every public header includes this one first, so that a
/// compiler that cannot compile them says why, and stops.
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

/// It is 0 as long as minor numbers may change the interface.
#define PARLEY_VERSION_MAJOR 0
/// A release with another minor number may change the interface: add names, and remove others.
#define PARLEY_VERSION_MINOR 1
/// A release with another patch number corrects errors, and changes no interface.
#define PARLEY_VERSION_PATCH 0
/// The three numbers as text.
#define PARLEY_VERSION "0.1.0"

// All of Parley's code is in the inline namespace v0, for two reasons. Programs that were compiled for another version do
// not link. And the laboratory compiles the library a second time with -Dv0=papers, and links both copies into one program
// (lab/papers). So nothing else may be called v0.
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
