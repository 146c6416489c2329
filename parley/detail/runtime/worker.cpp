#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/runtime/worker_and_machine.hpp>

#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/errors.hpp>

#include <cstdint>
#include <exception>
#include <utility>

namespace parley::inline v0::threading {

constinit thread_local worker* current = nullptr;
constinit thread_local worker* innermost = nullptr;

worker* worker_in(const pool& home) noexcept {
    worker* self = innermost;
    while (self != nullptr && &self->home != &home) self = self->outer;
    return self;
}

worker::worker(pool& owner, protocol::worker_id number)
    : memory(*owner.depot_),
      answers(owner.settings().workers),
      suspended(owner.settings().stack_size),
      home(owner),
      id(number),
      waits(owner.circulates() ? 1 : owner.settings().workers, owner.tuned().patience) {}

void worker::attend() {
    if ((shown.attention.get() & protocol::bits::cancel) != 0) throw cancelled{};
    attend_quietly(false);
}

void worker::attend_spawn() {
    if ((shown.attention.get() & protocol::bits::cancel) != 0) throw cancelled{};
    attend_quietly(true);
}

// Whoever is to go gives up here what it has not begun (suspension.hpp).
void worker::attend_quietly(bool at_pace) {
    if ((shown.attention.get() & protocol::bits::start) != 0) home.start_threads();
    if (at_pace && home.paces_answers()) serve_at_pace();
    else serve_others();
    if (!is_to_go()) watched.lends_a_hand.set(hand::no);
    else if (takes_work() && watched.lends_a_hand.get() == hand::no) home.give_up_tasks(*this);
}

// What is not a request does not wait. Who puts requests off has not offered what it has made since it last looked, and
// may make no more: it is watched, so that it is interrupted if it turns to something long (docs/internals/watchdog.md).
void worker::serve_at_pace() {
    const bool only_asked = (shown.attention.get() & ~(protocol::bits::mail | protocol::bits::lobby)) == 0;
    const auto begin = pace::clock::now();
    if (only_asked && answers.is_too_soon(begin)) {
        if (!puts_off || watched.has_looked.get()) ask_to_be_watched(*this);
        puts_off = true;
        return;
    }
    const std::uint64_t before = standing.sent.own();
    const bool briefly = answers.is_flooded(begin);
    serve_others(briefly);
    if (briefly) ask_to_be_watched(*this);
    if (standing.sent.own() != before) answers.answered(begin, pace::clock::now());
}

void worker::serve_others() { serve_others(false); }

void worker::serve_others(bool briefly) {
    puts_off = briefly;
    if ((shown.attention.get() & protocol::bits::refill) != 0) refill();
    thread_medium medium(*this);
    const trace::doing_meanwhile here(record, trace::activity::moving_requests);
    // Where requests circulate, others may send faster than this one forwards: as many as can be there at a time.
    protocol_worker& machine = machine_of(*this);
    for (std::uint32_t left = 2 * home.size(); left > 0 && (briefly ? machine.serve_briefly(medium) : machine.serve(medium));
         --left) {}
    show_whether_it_has_looked(medium.spare() > 0);
}

void worker::show_whether_it_has_looked(bool has_something) noexcept {
    const bool looked = !has_something && (shown.attention.get() & protocol::bits::lobby) != 0;
    if (watched.has_looked.get() != looked) watched.has_looked.set(looked);
}

void worker::refill() noexcept {
    const uninterrupted here(signals);
    shown.attention.lower(protocol::bits::refill);
    tasks.keep_a_block();
    loops.prepare_all();
}

// A loop polls after its first block only, and that may be long. Its threads are needed for that, too; if they do
// not start, the poll says why.
void worker::loop_begins() noexcept {
    try {
        if ((shown.attention.get() & protocol::bits::start) != 0) home.start_threads();
    } catch (const std::exception&) {}
    ask_to_be_watched(*this);
}

// The record lies in the caller's frame. A signal handler may have given it away at any time: then the frame stays,
// and what would be thrown here comes from the next look, or from the join.
void worker::attend_fork(task* t) {
    const auto take_back = [&] {
        if (!tasks.pop_if_newest(t)) return false;
        count.tasks.take_off();
        return true;
    };
    if ((shown.attention.get() & protocol::bits::cancel) != 0 && take_back()) throw cancelled{};
    try {
        attend_quietly(false);
    } catch (...) {  // no threads, and nothing has been given away by this look
        if (take_back()) throw;
    }
}

void worker::wake() noexcept {
    shown.attention.wake();
    sleeps_as.pass_on([](worker& other) { other.raise_and_wake(protocol::bits::news); });
}

void worker::tell(doing what) noexcept {
    const doing before = does_.get();
    does_.set(what);
    if (record != nullptr) record_turn(before, what);
    if (feedback_sink* const sink = home.broker(); sink != nullptr && !home.is_visitor(id)) sink->does(id, what);
}

void worker::record_turn(doing before, doing now) noexcept {
    const uninterrupted here(signals);
    (void)record->turn_to(now == doing::useful ? trace::activity::running : trace::activity::idle);
    const auto searches = [](doing d) { return d == doing::stealing || d == doing::mugging; };
    if (searches(before) && searches(now)) return;
    if (before == doing::parked) note(trace::happening::sleep_ends);
    if (searches(before)) note(trace::happening::search_ends);
    if (now == doing::parked) note(trace::happening::sleep_begins);
    if (searches(now)) note(trace::happening::search_begins);
}

// What a signal handler notes on this thread does not come in between.
void worker::write_down(trace::happening what, std::uint64_t number) noexcept {
    const uninterrupted here(signals);
    record->note(what, number);
}

void worker::leave_group() noexcept {
    group.number = 0;
    const std::uint32_t whom = std::exchange(group.waiter, current_group::nobody);
    if (whom != current_group::nobody) home.notify(whom);
}

void worker::let_go_on_after(const void* cause) noexcept {
    const uninterrupted here(signals);
    if (suspended.ended(cause)) ++news_seen;
}

std::uint64_t worker::some_groups() noexcept {
    static constinit sync::shared_counter given;
    return (given.add() + 1) * (group_mask + 1);
}

}  // namespace parley::inline v0::threading
