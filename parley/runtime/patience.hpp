// How long a worker waits for what before it does something about it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

struct patience {
    // Unanswered after this long, a request rests in the lobby (the time D of the protocol). Several
    // times what a victim that looks takes to answer.
    std::chrono::nanoseconds with_victim = std::chrono::microseconds(10);

    // Whoever has not looked for that long may be in a task that does not poll (docs/polling.md). Several times what
    // the signal costs victim and thief.
    std::chrono::nanoseconds with_tasks = std::chrono::microseconds(20);

    // About two wake-ups' worth: a futex round trip takes 10 to 20 us here, and who spins as long as
    // sleeping would cost is at most twice as slow as who knew (Karlin et al. 1991).
    std::chrono::nanoseconds before_sleep = std::chrono::microseconds(40);
};

// What the user chose, or 0: by the number of workers.
// With many of them all of it takes longer: a request goes to up to n - 1 victims, and with those few that have
// something it waits behind the requests of the others. That is up to n^2 of what one takes; counted as 10 ns each,
// which is next to nothing with 16 workers. If it rested sooner, all would look at the lobby, which is one line for
// them all (docs/simulation.md, "Beyond the papers").
constexpr patience patience_among(std::uint32_t workers, unsigned chosen_us = 0) noexcept {
    constexpr std::chrono::nanoseconds each(10), most = std::chrono::milliseconds(1);
    const std::int64_t n = std::min(workers, std::uint32_t{1000});  // from some 300 on it is `most`
    patience p;
    const std::chrono::nanoseconds longer =
        chosen_us == 0 ? std::min(most, each * (n * n)) : std::chrono::microseconds(chosen_us) - p.with_victim;
    p.with_victim += longer;
    p.with_tasks += longer;
    p.before_sleep += longer;
    return p;
}

}  // namespace parley::inline v0::threading
