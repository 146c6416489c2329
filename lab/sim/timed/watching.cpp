#include <lab/sim/timed/driver.hpp>

#include <algorithm>

namespace parley::inline v0::sim::timed {

namespace {

constexpr duration first_pause = 250 * microsecond;
constexpr duration longest_pause = 16'000 * microsecond;

}  // namespace

bool driver::watches() const noexcept { return home_.chosen().how.watchdog != watchdogs::off && home_.size() > 1; }

// Is any other worker awake and somebody's victim? Interrupts, if it should, those that have not looked.
bool driver::look_after_others(bool interrupts) {
    home_.let_others_catch_up(me_);
    bool any_awake = false;
    for (worker_id w = 0; w < home_.size(); ++w) {
        if (w == me_.id) continue;
        member& other = home_.at(w);
        spend(spent::idle, cost_.poll);
        if ((other.attention & asleep_mark) != 0) {
            any_awake = any_awake || (other.attention & bits::waking) != 0;
            continue;
        }
        if (!other.open) continue;
        any_awake = true;
        if (interrupts && (other.attention & bits::lobby) != 0 && !other.has_looked) medium_.interrupt(other);
    }
    return any_awake;
}

// It has begun something that it can give, and may not look up for long.
void driver::ask_to_be_watched() {
    if (!watches()) return;
    home_.let_others_catch_up(me_);
    me_.has_looked = false;
    if ((me_.attention & bits::lobby) == 0 || home_.watch != protocol::no_worker) return;
    for (worker_id w = 0; w < home_.size(); ++w) {
        member& other = home_.at(w);
        if ((other.attention & asleep_mark) == 0 || other.requests[0].state != protocol::request_state::resting) continue;
        medium_.raise_and_wake(w, bits::news);
        return;
    }
}

// One of those that sleep looks after the others, after growing pauses, as long as any of them is awake.
void driver::take_watch() {
    if (!watches() || home_.watch != protocol::no_worker) return;
    home_.watch = me_.id;
    me_.watch_pause = first_pause;
    if (!look_after_others(true)) give_up_watch();
}

void driver::watch_again() {
    me_.watch_pause = std::min(2 * me_.watch_pause, longest_pause);
    if (!look_after_others(true)) give_up_watch();
    lie_down();
}

void driver::give_up_watch() {
    if (home_.watch == me_.id) {
        home_.let_others_catch_up(me_);
        home_.watch = protocol::no_worker;
    }
    me_.watch_pause = 0;
}

}  // namespace parley::inline v0::sim::timed
