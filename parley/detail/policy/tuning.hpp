// What researchers choose of a runtime and users need not: how thieves ask, and how they are answered
// (docs/internals/protocol.md). The environment sets three of these for runtimes that it configures. The command's
// option --tuning has a word for each (lab/peers/tuning.hpp).
#pragma once

#include <parley/detail/protocol/machine_parts.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

enum class stealing : std::uint8_t { one, half, adaptive };
enum class splitting : std::uint8_t { half, guided, adaptive };
enum class victims : std::uint8_t { random, last, last_thief, richest, nearest };
enum class failed_requests : std::uint8_t { rest, backoff };
enum class answering : std::uint8_t { paced, at_once };
enum class dry_mailbox : std::uint8_t { open, closed };

// The longest tuning::patience is a second.
inline constexpr unsigned max_patience = 1'000'000;

struct tuning {
    // How much a thief asks for (TH §3.5, §5.1). PARLEY_STEAL=one|half|adaptive.
    stealing steal = stealing::adaptive;

    // How much of a running loop a thief gets (TH §5.2). PARLEY_SPLIT=half|guided|adaptive.
    splitting split = splitting::adaptive;

    // Whom a thief asks first:
    //   random      anybody
    //   last        the worker that gave it something the last time (TH §3.4.2)
    //   last_thief  the worker that took something from it the last time
    //   richest     of two workers the one that has more (TH §7.2)
    //   nearest     the workers that share the nearest cache or memory, by hwloc
    // The others follow in random order, each once. With `nearest` a list of workers^2 numbers is made, and threads are
    // bound: to cores if options::bind says nothing. The calling thread counts as if it were bound, too.
    // PARLEY_VICTIM=random|last|last-thief|richest|nearest.
    victims victim = victims::random;

    // The number of requests that a worker without tasks has out at a time: 1 or 2 (TH §7.2).
    unsigned requests = 1;

    // If a waiting worker has fewer tasks than this left in its deque, it asks before it runs the next one (TH §3.3.1).
    // Tasks that a join takes back do not count. 0: it never does.
    unsigned early = 0;

    // What becomes of a request that nobody could answer: it rests in the lobby, or is sent again after pauses that
    // grow (TH §4.2.2).
    failed_requests failed = failed_requests::rest;

    // After so many microseconds a worker without tasks lets its unanswered request rest, and soon after that it
    // sleeps. 0 means 10, and more with many workers (patience.hpp).
    unsigned patience = 0;

    // Does a producer that all others ask make tasks for as long as its answers take, and so have more to give? Only
    // with more than 8 workers and a watchdog.
    answering answers = answering::paced;

    // Does a worker without tasks forward others' requests, or is it passed over (CH §2.1)?
    dry_mailbox dry = dry_mailbox::open;

    // Is each steal request followed by a signal, as in TH §3.6.3? It needs a watchdog (options::watchdog).
    bool interrupts_for_every_request = false;

    // Choices that only the machine of this build has.
    [[no_unique_address]] protocol::machine_choices machine = {};
};

// Returns the defaults, changed by PARLEY_STEAL, PARLEY_SPLIT and PARLEY_VICTIM. Throws environment_error, which names
// the variable and what is allowed.
tuning tuning_from_environment();

}  // namespace parley::inline v0::threading
