#include <parley/detail/runtime/worker.hpp>

#include <parley/detail/driver/looking_up.hpp>
#include <parley/detail/driver/weighing.hpp>
#include <parley/detail/runtime/crew.hpp>
#include <parley/detail/runtime/feedback_sink.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/thread_host.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/trace/recorder.hpp>
#include <parley/errors.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

namespace parley::inline v0::threading {

constinit thread_local worker* current = nullptr;
constinit thread_local worker* innermost = nullptr;

worker* worker_in(const pool& home) noexcept {
    worker* self = innermost;
    while (self != nullptr && &self->home() != &home) self = self->outer();
    return self;
}

worker::worker(pool& owner, protocol::worker_id number, depot& cells)
    : own_(cells, owner.settings().stack_size), home_(owner), id_(number) {}

whole_worker::whole_worker(pool& owner, protocol::worker_id number, depot& cells, protocol_worker in_protocol)
    : worker(owner, number, cells),
      policy{.patience = {owner.circulates() ? 1 : owner.settings().workers, owner.tuned().patience, owner.settings().idle},
             .stealing_pays = {},
             .answer_pace = pace(owner.settings().workers),
             .backoff = {},
             .ahead_of_time = ahead_of_time(owner.tuned().early)},
      machine(std::move(in_protocol)) {}

void worker::attend() {
    if ((shared_.attention.get() & protocol::bits::cancel) != 0) throw cancelled{};
    attend_quietly(false);
}

// Looks between two blocks of that loop, and returns how long that took.
template <class Look>
static std::chrono::nanoseconds look_in(splittable& s, const weighed& weighs, const Look& look) {
    const auto since = weighing::clock::now();
    look();
    const auto until = weighing::clock::now();
    weighs.has_looked_in(s.times, until);
    return until - since;
}

std::chrono::nanoseconds worker::attend_loop(splittable& s) {
    if (keeps_to_itself(s)) return {};
    if (s.left() == 0) return attend(), std::chrono::nanoseconds{};  // no block follows
    return look_in(s, own_.weighs, [this] { attend(); });
}

void worker::begins_again(splittable& s, float each, bool is_part) noexcept {
    s.times.takes_over(each);
    const bool is_the_only_one = s.outer == nullptr && queued() == 0;
    try {
        if (is_part) part_begins(thread_host(*this), s, is_the_only_one);
        else loop_begins_again(thread_host(*this), s, is_the_only_one);
    } catch (const std::bad_alloc&) {}  // the next look tries again
}

void worker::loop_ends(const remembered_loops::name& n, const loop_times& times) noexcept {
    machine_of(*this).serves_everybody();
    if (!times.was_given()) {
        own_.loops_before.notes(n, times.each_here());
        if (is_wanted()) times.was_kept(own_.weighs.weight, own_.weighs.row, weighing::clock::now());
        return;
    }
    const auto now = weighing::clock::now();
    own_.loops_before.notes(n, times.each_of_all(n.count, now));
    times.was_shared(own_.weighs.weight, now);
}

std::chrono::nanoseconds worker::serve_loop(splittable& s) {
    if (keeps_to_itself(s)) return {};
    return look_in(s, own_.weighs, [this] { attend_quietly(false); });
}

void worker::attend_spawn(std::uint64_t scope) {
    if ((shared_.attention.get() & protocol::bits::cancel) != 0) throw cancelled{};
    if (keeps_to_itself(__builtin_frame_address(0), scope)) return;
    attend_quietly(true);
}

void worker::attend_quietly(bool at_pace) {
    if ((shared_.attention.get() & protocol::bits::start) != 0) home_.start_threads();
    look_up(thread_host(*this), at_pace);
}

void worker::serve_others(bool briefly) { threading::serve_others(thread_host(*this), briefly); }

void worker::show_whether_it_has_looked(bool has_something) noexcept {
    const bool looked = !has_something && (shared_.attention.get() & protocol::bits::lobby) != 0;
    if (watched_.has_looked.get() != looked) watched_.has_looked.set(looked);
}

void worker::refill() noexcept {
    const uninterrupted here(own_.signals);
    shared_.attention.lower(protocol::bits::refill);
    own_.tasks.keep_a_block();
    own_.loops.prepare_all();
}

// A loop polls only after its first block, which may be long. So the threads are started before it, since they may
// help. If they do not start, the poll throws the reason.
void worker::loop_begins(const splittable& s) noexcept {
    try {
        if ((shared_.attention.get() & protocol::bits::start) != 0) home_.start_threads();
    } catch (const std::exception&) {}
    own_.weighs.look.at_once();
    // Nobody interrupts it before it is worth giving.
    if (s.outer == nullptr && queued() == 0 && !thread_host(*this).has_something_in_hand())
        watched_.keeps_since.set(weighing::in_ns(weighing::clock::now()));
    ask_to_be_watched(*this);
}

// The record lies in the caller's frame. A signal handler may have given it away at any time. Then the frame must stay,
// and nothing is thrown here: the next look or the join throws it.
void worker::attend_fork(task* t) {
    if (keeps_to_itself(t, 0)) return;
    const auto take_back = [&] {
        if (!own_.tasks.pop_if_newest(t)) return false;
        own_.count.tasks.take_off();
        return true;
    };
    if ((shared_.attention.get() & protocol::bits::cancel) != 0 && take_back()) throw cancelled{};
    try {
        attend_quietly(false);
    } catch (...) {  // the threads do not start, so this look has given nothing away
        if (take_back()) throw;
    }
}

void worker::wake() noexcept {
    shared_.attention.wake();
    sleeps_as(*this).pass_on([](worker& other) { other.raise_and_wake(protocol::bits::news); });
}

void worker::tell(doing what) noexcept {
    const doing before = shown_.does.get();
    shown_.does.set(what);
    if (own_.record != nullptr) record_turn(before, what);
    if (feedback_sink* const sink = home_.resizing().broker(); sink != nullptr && !home_.is_visitor(id_))
        sink->does(id_, what);
}

void worker::be_recorded(trace::recorder& by) noexcept {
    own_.record = &by;
    own_.looks.always = own_.looks.always || by.has_timeline();
    own_.looks.now = own_.looks.now || own_.looks.always;
}

void worker::run_shown(task* t) noexcept {
    note(trace::happening::task_begins);
    t->run(t, *this);
    note(trace::happening::task_ends);
}

void worker::record_turn(doing before, doing now) noexcept {
    const uninterrupted here(own_.signals);
    (void)own_.record->turn_to(now == doing::useful ? trace::activity::running : trace::activity::idle);
    const auto searches = [](doing d) { return d == doing::stealing || d == doing::mugging; };
    if (searches(before) && searches(now)) return;
    if (before == doing::parked) note(trace::happening::sleep_ends);
    if (searches(before)) note(trace::happening::search_ends);
    if (now == doing::parked) note(trace::happening::sleep_begins);
    if (searches(now)) note(trace::happening::search_begins);
}

// No signal handler notes anything on this thread meanwhile.
void worker::write_down(trace::happening what, std::uint64_t number) noexcept {
    if (!own_.record->has_timeline()) return;
    const uninterrupted here(own_.signals);
    own_.record->note(what, number);
}

void worker::leave_group() noexcept {
    own_.group.number = 0;
    const std::uint32_t whom = std::exchange(own_.group.waiter, current_group::nobody);
    if (whom != current_group::nobody) home_.notify(whom);
}

void worker::let_go_on_after(const void* cause) noexcept {
    const uninterrupted here(own_.signals);
    if (own_.suspended.ended(cause)) ++own_.heard.news;
}

bool worker::must_go() const noexcept { return home_.crew().must_go(*this); }

void worker::tell_what_was_thrown() noexcept { home_.roots().keep_failure(std::exchange(own_.failure, nullptr)); }

std::uint64_t worker::some_groups() noexcept {
    static constinit sync::shared_counter given;
    return (given.add() + 1) * (own_state::group_mask + 1);
}

}  // namespace parley::inline v0::threading
