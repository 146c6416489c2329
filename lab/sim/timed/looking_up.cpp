// Looking up: in a task, after what it makes and where it polls, and between tasks.
#include <lab/sim/timed/driver.hpp>

#include <cstdint>

namespace parley::inline v0::sim::timed {

// As worker::attend_quietly() in the runtime.
void driver::look(bool at_pace) {
    spend(spent::queue, cost_.poll);
    if (me_.attention == 0) return;
    if (at_pace && home_.paces_answers()) serve_at_pace();
    else serve_others();
    if (is_to_go()) give_up_tasks();
}
void driver::serve_at_pace() {
    const moment begin = me_.now;
    const bool only_asked = (me_.attention & ~(bits::mail | bits::lobby)) == 0;
    if (only_asked && me_.answers.is_too_soon(as_clock_point(begin))) {
        if (!me_.puts_off || me_.has_looked) ask_to_be_watched();
        me_.puts_off = true;
        return;
    }
    const std::uint64_t sent = me_.shown.sent;
    const bool briefly = me_.answers.is_flooded(as_clock_point(begin));
    serve_others(briefly);
    if (briefly) ask_to_be_watched();
    if (me_.shown.sent != sent) me_.answers.answered(as_clock_point(begin), as_clock_point(me_.now));
}
// Where requests circulate, others may send faster than this one forwards: as many as can be there at a time.
void driver::serve_others(bool briefly) {
    me_.puts_off = briefly;
    home_.touch_line(me_, me_.front, spent::requests);
    me_.called = false;
    me_.signal_at = never;
    const auto serve = [&] { return briefly ? me_.machine.serve_briefly(medium_) : me_.machine.serve(medium_); };
    for (std::uint32_t left = 2 * home_.size(); left > 0 && serve(); --left) {}
    show_whether_it_has_looked();
}
// Others read it who look after this one.
void driver::show_whether_it_has_looked() {
    home_.let_others_catch_up(me_);
    me_.has_looked = medium_.spare() == 0 && (me_.attention & bits::lobby) != 0;
}
void driver::has_not_looked() {
    if (!me_.has_looked) return;
    home_.let_others_catch_up(me_);
    me_.has_looked = false;
}

}  // namespace parley::inline v0::sim::timed
