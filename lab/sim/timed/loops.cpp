// Loops whose parts are made when somebody asks for them (runtime/loop_run.hpp).
#include <lab/sim/timed/driver.hpp>

#include <algorithm>
#include <cstdint>

namespace parley::inline v0::sim::timed {

namespace {

// What block_length asks for the time.
struct virtual_clock {
    static inline thread_local clock_point at{};
    static clock_point now() noexcept { return at; }
};

}  // namespace

void driver::begin_loop(const next_deed& d) {
    const std::uint32_t f = home_.new_frame(frame_kind::loop, me_.id);
    frame& l = home_.frame_of(f);
    l.act.kind = d.kind;
    l.group = f;
    l.to = l.all = d.words[0];
    l.chunks = home_.size();
    me_.running.push_back(f);
    enter_loop(f);
}
void driver::enter_loop(std::uint32_t f) {
    frame& l = home_.frame_of(f);
    l.length.emplace(l.all / (8 * std::uint64_t{home_.size()}), as_clock_point(me_.now));
    me_.loops.push_back(f);
    if (me_.attention != 0) ask_to_be_watched();
}
void driver::run_loop() {
    const std::uint32_t f = me_.running.back();
    frame& l = home_.frame_of(f);
    if (l.left > 0) return compute(l);
    if (l.in_block) {
        l.in_block = false;
        spend(spent::queue, cost_.block);
        virtual_clock::at = as_clock_point(me_.now);
        l.length->block_ends(virtual_clock{});
        look();
        return;
    }
    if (l.from >= l.to) return leave_loop();
    const std::uint64_t first = l.from;
    l.from = std::min(first + l.length->at(first), l.to);
    duration sum = 0;
    for (std::uint64_t i = first; i < l.from; ++i) {
        const duration one = home_.program.iteration(l.act.kind, i);
        home_.count_work(one);
        sum += one;
    }
    l.in_block = true;
    l.left = home_.task_on(me_, sum);
}
void driver::leave_loop() {
    const std::uint32_t f = me_.running.back();
    frame& l = home_.frame_of(f);
    if (const auto found = std::find(me_.loops.begin(), me_.loops.end(), f); found != me_.loops.end())
        me_.loops.erase(found);
    if (l.counted) return end_task();
    if (l.open > 0) {
        l.waits = true;
        return;
    }
    me_.running.pop_back();
    home_.free_frame(f);
}

}  // namespace parley::inline v0::sim::timed
