// How a worker without tasks passes time (host.hpp).
#include <lab/sim/timed/host.hpp>

#include <algorithm>

namespace parley::inline v0::sim::timed {

namespace {

// About as long as a turn of a thread, in which it looks at the clock now and then.
constexpr duration usual_turn = 200 * nanosecond;

}  // namespace

// No time means that it does not search, since others have its core (driver/idle.hpp).
void virtual_host::says_that_it_searches(time_point at) const noexcept {
    me_->searched_at = policy().shares_core && at == time_point{} ? -1 : me_->now;
}

// When the clock should say that. It may stand still before.
moment virtual_host::by_clock(time_point t) const noexcept {
    return me_->clock == as_clock_point ? as_moment(t) : me_->now + in_virtual_time(t - now());
}

// A pause between two requests may end before. Who waits for its own request, which circulates, waits for ever. Turns
// that change nothing are left out; a worker that shares its core may give way in one of the next ones.
bool virtual_host::pass_time(threading::idle_advice how, time_point until) const {
    using threading::idle_advice;
    const bool shares = home().shares_cores();
    if (shares) home().let_others_catch_up(*me_);
    moment last = by_clock(until);
    const auto pause = std::max(policy().stealing_pays.left(now()), policy().backoff.left(now()));
    if (pause.count() > 0) last = std::min(last, by_clock(now() + pause));
    else if (circulates() && !is_home() && !(shares && how == idle_advice::spin)) last = never;
    if (shares && how == idle_advice::spin && policy().shares_core) last = std::min(last, me_->now + usual_turn);
    if (has_been_called()) last = me_->now;
    last = std::max(last, me_->now);
    if (shares && how != idle_advice::spin)
        return home().give_core_away(*me_, last) >= in_virtual_time(threading::weighing::runs_still);
    if (!has_been_called()) home().park(*me_, last);
    return false;
}

}  // namespace parley::inline v0::sim::timed
