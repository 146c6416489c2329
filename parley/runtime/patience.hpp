// How long a worker waits for what before it does something about it.
#pragma once

#include <chrono>

namespace parley::inline v0::threading {

// Unanswered after this long, a request rests in the lobby (the time D of the protocol). Several
// times what a victim that looks takes to answer.
inline constexpr auto patience_with_victim = std::chrono::microseconds(10);

// Whoever has not looked for that long may be in a task that does not poll (docs/polling.md). Several times what the
// signal costs victim and thief.
inline constexpr auto patience_with_tasks = std::chrono::microseconds(20);

// About two wake-ups' worth: a futex round trip takes 10 to 20 us here, and who spins as long as
// sleeping would cost is at most twice as slow as who knew (Karlin et al. 1991).
inline constexpr auto patience = std::chrono::microseconds(40);

}  // namespace parley::inline v0::threading
