// Workers that come and go (runtime/suspension.hpp, pool::give_up_tasks): what they give up, and how they are away.
#include <lab/sim/timed/driver.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::timed {

// First the number, then the news. Whoever says so is no worker, and costs nobody anything.
void pool::resize(moment when) {
    if (!resizing_->was_the_last()) queue.set(size(), when + resizing_->pause());
    const std::uint32_t workers = resizing_->number();
    const std::uint32_t before = std::exchange(active_, workers);
    ++resizes_;
    fewest_ = std::min(fewest_, workers);
    for (worker_id w = std::min(before, workers); w < std::max(before, workers); ++w) {
        member& whom = at(w);
        whom.attention |= bits::news;
        stir(whom, when);
        if ((whom.attention & asleep_mark) != 0) wake_at(whom, when + cost().wake_delay);
    }
}

// In a wait of a worker that is to go, once for each turn. True: it leaves, or has left. A task that has begun cannot
// move.
bool driver::leave_or_stay() {
    if (top().kind != frame_kind::idle || !me_.suspended.empty()) {
        give_up_tasks();
        return false;
    }
    me_.goes = true;
    sit_out();
    return true;
}

void driver::sit_out() {
    if (!me_.machine.is_away()) {
        turn_away();
        give_up_tasks();
        if (!me_.machine.leave(medium_)) return park(me_.now + microsecond);  // an answer is on its way
        give_up_tasks();
        me_.machine.stay_away(medium_);
        ++me_.count.departures;
    }
    if (!is_to_go()) {
        me_.goes = false;
        me_.machine.come_back(medium_);
        return found_something();
    }
    (void)me_.machine.serve(medium_);  // a scan that was meant for it
    has_not_looked();
    if (!me_.machine.go_to_sleep(medium_, protocol::asking::nothing)) return;
    spend(spent::idle, cost_.sleep);
    home_.let_others_catch_up(me_);
    if (!is_to_go()) return wake_up();
    lie_down();
}

// Tasks of other stacks, which are held, go one by one: whoever received them together would run them on top of each
// other.
void driver::give_up_tasks() {
    const auto give_up_oldest = [this] {
        spend(spent::tasks, cost_.steal);
        medium_.submit(me_.tasks.take_oldest());
    };
    if (me_.job) medium_.submit(*std::exchange(me_.job, std::nullopt));
    while (me_.tasks.held() > 0 || me_.tasks.size() == 1) give_up_oldest();
    if (!me_.tasks.empty()) {
        std::vector<task> all;
        while (!me_.tasks.empty()) all.push_back(me_.tasks.take_oldest());
        spend(spent::tasks, cost_.steal + static_cast<duration>(all.size() - 1) * cost_.steal_each);
        medium_.submit(home_.jobs.packed(std::move(all)));
    }
    give_up_loops();
    // That it has jobs to offer is no news to itself; whoever stays may be the one that has to take them.
    if (is_to_go() && (me_.attention & bits::jobs) != 0) medium_.lower(bits::jobs);
}

// All iterations that have not begun.
void driver::give_up_loops() {
    for (const std::uint32_t f : me_.loops) {
        frame& l = home_.frame_of(f);
        if (l.from >= l.to) continue;
        spend(spent::tasks, cost_.split);
        medium_.submit(home_.cut_off(me_, l, {l.to - l.from, l.chunks}));
    }
}

// What is in the deque may wait for what is in the message, or the other way round: then each goes on alone.
void driver::unpack(const task& message) {
    const std::vector<task> all = home_.jobs.unpacked(message);
    spend(spent::tasks, cost_.receive_tasks + static_cast<duration>(all.size() - 1) * cost_.steal_each);
    if (!me_.tasks.empty()) {
        for (const task& t : all) medium_.submit(t);
        return;
    }
    for (const task& t : all) me_.tasks.push(t);
    me_.tasks.hold_all();
    if (me_.attention != 0) ask_to_be_watched();
}

}  // namespace parley::inline v0::sim::timed
