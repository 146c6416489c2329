// One of the sleepers looks after the other workers, so that a task that never looks up starves nobody (I9).
#pragma once

#include <parley/detail/driver/host.hpp>
#include <parley/detail/protocol/bits.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace parley::inline v0::threading {

// The first look comes with falling asleep. The pauses after that grow, because a thief that has waited long can wait a
// little longer.
inline constexpr auto first_pause_of_watch = std::chrono::microseconds(250);
inline constexpr auto longest_pause_of_watch = std::chrono::milliseconds(16);
// Sleepers that are not in charge look so often, in case the one in charge has got work.
inline constexpr auto deputys_pause = std::chrono::milliseconds(50);

// After all others have fallen asleep, the one in charge looks so often, and so many times. Somebody may come back
// soon.
inline constexpr auto pause_of_an_idle_pool = std::chrono::milliseconds(1);
inline constexpr int looks_at_an_idle_pool = 16;

enum class duty : std::uint8_t {
    only_look,
    interrupt,
    insist,  // also if a signal should be on its way: it may be lost
};

struct others_seen {
    bool any_awake = false;    // is one awake that is somebody's victim?
    bool spared_some = false;  // was one spared that should look, because it has just begun (weighing.hpp)?
};

// Looks at all others. Interrupts those that should look, if `what` is that duty.
template <host Host>
others_seen look_after_others(Host h, duty what) noexcept {
    others_seen seen;
    h.each_other([&](auto other) {
        const protocol::bits::word wanted = other.wanted();
        if (other.is_asleep(wanted)) {
            seen.any_awake = seen.any_awake || (wanted & protocol::bits::waking) != 0;  // it is getting up
            return;
        }
        if (!other.is_victim()) return;
        seen.any_awake = true;
        if ((wanted & protocol::bits::lobby) == 0 || other.has_looked()) return;
        if (other.has_just_begun()) seen.spared_some = true;
        else if (what != duty::only_look) h.interrupt(other, what == duty::insist);
    });
    return seen;
}

// A worker that nobody answers interrupts those that do not look. False: some were spared, and it is to try again.
template <host Host>
bool interrupt_those_who_do_not_look(Host h) noexcept {
    return !h.watches() || !look_after_others(h, duty::interrupt).spared_some;
}

// Sleeps, and looks after the others as long as any of them is awake.
template <host Host>
void sleep_watching(Host h, typename Host::medium& m) noexcept {
    if (!h.watches()) return m.sleep();
    std::chrono::nanoseconds pause = first_pause_of_watch;
    int stays_in_charge = looks_at_an_idle_pool;
    bool has_spared = false, may_look_again = true;
    for (;;) {
        const bool in_charge = h.watch().take(h.id());
        const duty in_time = pause < longest_pause_of_watch ? duty::interrupt : duty::insist;
        const duty as_deputy = has_spared ? duty::interrupt : duty::only_look;
        const others_seen seen = look_after_others(h, in_charge ? in_time : as_deputy);
        if (std::exchange(has_spared, false)) h.deputy().give_up(h.id());
        if (seen.any_awake) {
            // What has just begun may be the first block of a long loop.
            if (seen.spared_some && pause == first_pause_of_watch) pause = weighing::may_be_kept;
            // The one in charge may sleep for long, and look late at what has just begun. So one deputy looks at that once.
            has_spared = seen.spared_some && !in_charge && std::exchange(may_look_again, false) && h.deputy().take(h.id());
            const std::chrono::nanoseconds deputys = has_spared ? weighing::may_be_kept : deputys_pause;
            if (m.sleep_up_to(in_charge ? pause : deputys)) break;
            stays_in_charge = looks_at_an_idle_pool;
            if (in_charge) pause = std::min<std::chrono::nanoseconds>(2 * pause, longest_pause_of_watch);
            continue;
        }
        // A thread outside may call the runtime again soon. For a while somebody stays in charge, so that no such call
        // has to wake a watch.
        if (in_charge && stays_in_charge-- > 0) {
            if (m.sleep_up_to(pause_of_an_idle_pool)) break;
            pause = first_pause_of_watch;
            continue;
        }
        h.watch().give_up(h.id());
        // A second look, after giving up: a worker that got up before that has found somebody in charge.
        if (look_after_others(h, duty::only_look).any_awake) continue;
        m.sleep();
        break;
    }
    h.watch().give_up(h.id());
    if (has_spared) h.deputy().give_up(h.id());
}

// This worker has begun something that it can give, and may not look for long. If others rest, one of them must look
// after it (I9).
template <host Host>
void ask_to_be_watched(Host h) noexcept {
    if (!h.watches()) return;
    h.has_not_looked();
    if ((h.attention() & protocol::bits::lobby) == 0 || h.watch().is_taken()) return;
    // A worker that is not asleep yet looks at this one before it falls asleep.
    h.wake_one_that_rests();
}

}  // namespace parley::inline v0::threading
