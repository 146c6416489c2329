// Ends a program that uses tasking.h in a way that makes no sense: with one line on stderr and exit status 2. No
// destructor runs, because other threads are at work.
#pragma once

namespace parley::inline v0::tasking {

[[noreturn, gnu::cold, gnu::format(printf, 1, 2)]] void complain(const char* format, ...) noexcept;

}  // namespace parley::inline v0::tasking
