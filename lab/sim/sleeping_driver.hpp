// A virtual worker that is suspended or falls asleep.
#pragma once

#include <lab/sim/task_driver.hpp>

#include <cstdint>

namespace parley::inline v0::sim {

template <class Medium, class Machine>
class sleeping_driver : protected task_driver<Medium, Machine> {
protected:
    using base = task_driver<Medium, Machine>;
    using base::all_, base::shared_, base::who_, base::me_, base::mine_;
    using base::did, base::handle, base::handle_then;

    using base::base;

    // --- suspension (driver/resizing.hpp) ------------------------------------------------------
    // What it hands on goes as single jobs here.
    bool leaves() {
        const bool away = is_away(me_.machine);
        if ((!this->is_to_go() && !away) || mine_.isolated) return false;
        if (!away) {
            if (mine_.lends_a_hand == hand::offered) return false;
            if (mine_.lends_a_hand == hand::lent && !mine_.deque.empty()) return false;
            mine_.lends_a_hand = hand::no;
            if (me_.stack.back().kind != frame_kind::stop && mine_.deque.empty()) return false;
        }
        if (me_.news_group != no_task) {
            this->pay();
            return true;
        }
        if (!away) {
            me_.has_left = false;
            me_.at = point::handing_on;
        } else if (this->is_to_go() && mine_.lends_a_hand != hand::offered) {
            me_.at = point::serving_away;
        } else {
            me_.at = point::coming_back;
        }
        did(operation::look, who_, 0, encode(false));
        return true;
    }
    void away() {
        if constexpr (requires(Machine& p, Medium& m) { p.stay_away(m); }) {
            switch (me_.at) {
                case point::staying_away: handle_then(point::looking, [](Machine& p, Medium& m) { p.stay_away(m); }); break;
                case point::coming_back: handle_then(point::looking, [](Machine& p, Medium& m) { p.come_back(m); }); break;
                default:
                    me_.asks = protocol::asking::nothing;
                    handle_then(point::falling_asleep, [](Machine& p, Medium& m) { (void)p.serve(m); });
                    break;
            }
        }
    }

    // --- sleeping --------------------------------------------------------------------------------
    void sleep() {
        switch (me_.at) {
            case point::falling_asleep: fall_asleep(); break;
            case point::looking_again: {
                const bool away = is_away(me_.machine);
                me_.goes = !away && !mine_.isolated && this->is_to_go();
                const bool done = holds(all_, who_, me_.stack.back()) || (away && !this->is_to_go());
                me_.at = done ? point::waking_up : away || me_.goes ? point::looking_for_jobs : point::committing;
                this->did_freely(done && !away, operation::look, who_, 0, encode(done));
                break;
            }
            case point::looking_for_jobs:
                me_.at = shared_.jobs.empty() ? point::wanting_jobs : point::committing;
                did(operation::look, who_, 0, encode(shared_.jobs.empty()));
                break;
            case point::wanting_jobs:
                mine_.attention |= bits::wants_jobs;
                me_.at = point::committing;
                did(operation::raise, who_, bits::wants_jobs);
                break;
            case point::committing: commit(); break;
            case point::asleep:  // woken, or for no reason, or the time is up
                if (!mine_.woken && looks_after_jobs(all_, who_)) {
                    // Whether others would take it is a matter of time, that is of chance.
                    if (!shared_.jobs.empty()) mine_.lends_a_hand = hand::offered;
                    me_.at = point::rising;
                    did(operation::look, who_, 0, encode(shared_.jobs.empty()));
                    break;
                }
                me_.at = !mine_.woken && me_.sleeps_briefly() ? point::rising : point::committing;
                break;
            case point::rising:
                mine_.attention &= ~(asleep_mark | bits::wants_jobs);
                me_.at = point::waking_up;
                this->did_freely(true, operation::cancel_sleep, who_);
                break;
            default: handle_then(point::looking, [](Machine& p, Medium& m) { p.wake_up(m); }); break;
        }
    }
    void fall_asleep() {
        const auto asleep = handle([&](Machine& p, Medium& m) { return p.go_to_sleep(m, me_.asks); });
        if (asleep) me_.at = *asleep ? point::looking_again : point::looking;
    }
    void commit() {
        const bool wants_jobs = (mine_.attention & bits::wants_jobs) != 0;
        const bool awake = (mine_.attention & (bits::waking | (wants_jobs ? bits::jobs : 0))) != 0;
        me_.at = awake ? point::rising : point::asleep;
        mine_.woken = false;
        did(operation::sleep, who_, mine_.attention, encode(!awake));
    }
};

}  // namespace parley::inline v0::sim
