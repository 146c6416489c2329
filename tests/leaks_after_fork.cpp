// No search for leaks in a child of fork() beside other threads: it does not have them, so what only their stacks and
// registers refer to would be reported. All other processes are searched.
#include "tests/fork_at_rest.hpp"

// LeakSanitizer's own question; nobody else asks it.
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() { return parley_tests::has_lost_threads ? 1 : 0; }
