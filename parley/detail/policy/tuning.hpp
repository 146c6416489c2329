// What researchers choose of a runtime, and users need not: how thieves ask, and how they are answered
// (docs/internals/protocol.md). The environment says three of these for runtimes that are set up by it. The command's option
// --tuning has a word for each (lab/peers/tuning.hpp).
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

// The longest tuning::patience, a second.
inline constexpr unsigned max_patience = 1'000'000;

struct tuning {
    // How much a thief asks for (TH §3.5, §5.1). PARLEY_STEAL=one|half|adaptive.
    stealing steal = stealing::adaptive;

    // How much of a running loop a thief gets (TH §5.2). PARLEY_SPLIT=half|guided|adaptive.
    splitting split = splitting::adaptive;

    // Whom a thief asks first: anybody; who gave it something the last time (TH §3.4.2); who took something
    // from it the last time; of two, who has more (TH §7.2); who shares the nearest cache or memory, by
    // hwloc: then threads are bound, to cores if options::bind says nothing (the calling thread counts as if it
    // were), and a list of workers^2 numbers is made. The others follow in random order, each once.
    // PARLEY_VICTIM=random|last|last-thief|richest|nearest.
    victims victim = victims::random;

    // Requests that a worker without tasks has out at a time (TH §7.2): 1 or 2.
    unsigned requests = 1;

    // A worker that waits and has fewer tasks left in its queue than these asks ahead of time, before it runs the
    // next one (TH §3.3.1); 0: never. What a join takes back itself does not count.
    unsigned early = 0;

    // What becomes of a request that nobody could answer: it rests where everybody with a task to spare
    // sees it, or is sent again and again after growing pauses (TH §4.2.2).
    failed_requests failed = failed_requests::rest;

    // Microseconds until a worker without tasks no longer waits for those it has asked: its request rests, and soon
    // after that it sleeps. 0: 10, and more with many workers (patience.hpp).
    unsigned patience = 0;

    // With more than 8 workers and a watchdog: whether one that makes tasks, and is asked by all the others, takes as long
    // for itself as its answers take, and so has more to give.
    answering answers = answering::paced;

    // Whether a worker without tasks forwards others' requests or is passed over (CH §2.1).
    dry_mailbox dry = dry_mailbox::open;

    // Whether each steal request is followed by a signal, as in TH §3.6.3. Not without a watchdog (options::watchdog).
    bool interrupts_for_every_request = false;

    // What the machine of this build lets choose.
    [[no_unique_address]] protocol::machine_choices machine = {};
};

// What PARLEY_STEAL, PARLEY_SPLIT and PARLEY_VICTIM say, over the defaults. Throws environment_error, which names the
// variable and what is allowed.
tuning tuning_from_environment();

}  // namespace parley::inline v0::threading
