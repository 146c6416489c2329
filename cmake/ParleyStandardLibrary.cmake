# Is the standard library GCC's? parley/std_execution.hpp is for that alone.

include_guard(GLOBAL)
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("#include <cstddef>
#ifndef __GLIBCXX__
#error another standard library
#endif
int main() {}" PARLEY_LIBSTDCXX)
