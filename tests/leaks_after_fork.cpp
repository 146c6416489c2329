// No search for leaks in a child of fork(): it has no thread but one, so what only the others' stacks and registers
// refer to would be reported, and LeakSanitizer waits for threads that are not there.
#include "tests/build_kind.hpp"

#include <unistd.h>

namespace {

const pid_t began_as = ::getpid();

}  // namespace

// LeakSanitizer's own question; nobody else asks it.
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() {
    return parley_tests::has_address_sanitizer && ::getpid() != began_as ? 1 : 0;
}
