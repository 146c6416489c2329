// What may be chosen where requests circulate, as in the papers (circulating_worker.hpp).
#pragma once

#include <cstdint>

namespace parley::inline v0::protocol {

// Who knows which workers are idle (TH §4.1):
//   by_manager            worker 1, which works like the others (TH §4.1.1)
//   by_dedicated_manager  worker 1, which only forwards requests and never has a task
//   by_shared_counter     nobody: a number that all of them change (TH §4.1.3, after Herlihy and Shavit)
enum class detection : std::uint8_t { by_manager, by_dedicated_manager, by_shared_counter };

constexpr const char* name_of(detection d) noexcept {
    switch (d) {
        case detection::by_dedicated_manager: return "dedicated";
        case detection::by_shared_counter: return "counter";
        case detection::by_manager: break;
    }
    return "manager";
}

// Whose request worker 0 takes back when it leaves a barrier, so that the manager learns of it (TH §4.2.1):
//   own  its own, as soon as it has come home
//   any  the first that it meets; its thief gets a task without any work instead. Where jobs have come
//        from outside, its own if that may not have been registered yet: it would be afterwards
enum class revocation : std::uint8_t { own, any };

// A victim without tasks sends a request on to the next one (CH figure 1b), or back to its thief (figure 1a).
enum class refusal : std::uint8_t { forwards, acknowledges };

// The last two are ideas of TH §7.2:
//   continues  a request that was answered goes on, once, and brings home what the next victim gives
//   hijacks    a starving worker has the tasks of a less urgent request sent to itself: one whose thief is not idle.
//              That may ask again then.
struct circulating {
    detection detects = detection::by_manager;
    revocation revokes = revocation::any;
    refusal refuses = refusal::forwards;
    bool continues = false;
    bool hijacks = false;

    // May a letter bring tasks?
    [[nodiscard]] constexpr bool loads_letters() const noexcept { return continues || hijacks; }
    friend bool operator==(const circulating&, const circulating&) = default;
};

}  // namespace parley::inline v0::protocol
