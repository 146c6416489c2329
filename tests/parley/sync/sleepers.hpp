// How many threads sleep in the kernel on a word. So that a test can wait until a thread really
// sleeps, and see that nobody has woken it, without measuring time. Counting must not overlap with
// waking: a sleeper that is being counted is on another word for a moment.
#pragma once

#include "tests/parley/sync/crowd.hpp"

#include <cstdint>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <type_traits>
#include <unistd.h>

namespace channel_test {

// The 32-bit word that such an object begins with.
template <class Waitable>
    requires std::is_standard_layout_v<Waitable>
const void* word_of(const Waitable& w) {
    return &w;
}

// futex(2) tells how many sleepers it moved from one word to another: there and back again.
inline long sleepers_on(const void* word) {
    static std::uint32_t elsewhere;
    const auto move_all = [](const void* from, const void* to) {
        return syscall(SYS_futex, from, FUTEX_REQUEUE_PRIVATE, 0, 1 << 30, to, 0);
    };
    const long moved = move_all(word, &elsewhere);
    if (moved > 0) move_all(&elsewhere, word);
    return moved;
}

inline void spin_until_sleeping(const void* word, long threads = 1) {
    spin_until([&] { return sleepers_on(word) == threads; });
}

}  // namespace channel_test
