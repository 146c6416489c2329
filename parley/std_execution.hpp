/// @file
/// Runs the standard's parallel algorithms on Parley: std::execution::par and par_unseq of GCC's library, 12 to 15.
///
/// It has no names of its own. It must be the first header of a file, or be put there by the compiler's option
/// `-include parley/std_execution.hpp`. Then std::for_each(std::execution::par, ...) and its like run on the calling
/// worker's runtime, or else on the default one, and need no oneTBB. An exception that leaves an element's function ends
/// the program, as the standard says. docs/guide/standard-algorithms.md has the rest.
#pragma once

#include <parley/version.hpp>

// What this header relies on, of libstdc++'s include/pstl:
//   1. <execution> chooses a backend in parallel_backend.h, and nowhere else. Its include guard keeps that file out.
//   2. The algorithms call the backend as __pstl::__par_backend.
//   3. The other names are of namespace __pstl, too, the policies among them. Here that namespace has another name. So
//      what is compiled with another backend in the same program are other functions of other types, and not other
//      definitions of the same ones.
#ifndef __GLIBCXX__
#error "parley/std_execution.hpp is for GCC's standard library (libstdc++); this is another one"
#include <the_compiler_stops_here>  // there is no such file: nothing that follows would help
#elif _GLIBCXX_RELEASE < 12
#error "parley/std_execution.hpp needs the standard library of GCC 12 or newer"
#include <the_compiler_stops_here>
#elif defined(_PSTL_EXECUTION_POLICY_DEFS_H) || defined(_PSTL_PARALLEL_BACKEND_H)
#error \
    "parley/std_execution.hpp must come before <algorithm>, <execution>, <memory> and <numeric>: include it first, or compile with -include parley/std_execution.hpp"
#include <the_compiler_stops_here>
#endif
#define _PSTL_PARALLEL_BACKEND_H
#define __pstl parley_pstl

#include <parley/std_execution/backend.hpp>

/// \cond
namespace __pstl {
namespace __par_backend = parley::detail::std_execution;
}  // namespace __pstl
/// \endcond
