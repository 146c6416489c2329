#include <lab/sim/timed/host.hpp>
#include <lab/sim/timed/pool.hpp>
#include <lab/sim/timed/runner.hpp>
#include <parley/detail/driver/condition.hpp>
#include <parley/detail/driver/wait_loop.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::timed {

namespace {

constexpr duration most_time_without_task = 100 * second;
constexpr std::uint64_t events_between_questions = 1 << 12;

std::vector<std::uint32_t> distances(const machine& m, std::uint32_t workers) {
    std::vector<std::uint32_t> all;
    all.reserve(std::size_t{workers} * workers);
    for (std::uint32_t a = 0; a < workers; ++a)
        for (std::uint32_t b = 0; b < workers; ++b) all.push_back(m.distance(a, b));
    return all;
}

std::uint64_t hash(std::uint64_t serial) noexcept { return base::rng(serial).next(); }

std::size_t words_of(std::uint32_t workers) { return (std::size_t{workers} * protocol::most_requests + 63) / 64; }

}  // namespace

pool::pool(const setup& s, shape& what)
    : barriers_left(s.barriers),
      lobby(words_of(s.workers)),
      lobby_lines((words_of(s.workers) + 7) / 8, shared_line(s.workers)),
      barrier_line(s.workers),
      counter_line(s.workers),
      sleepers_line(s.workers),
      jobs(s.workers),
      manager(protocol::manager_of(s.workers)),
      split(threading::strategy_of(s.how.split)),
      queue(s.workers + 1 + s.cores),
      program(what),
      setup_(s),
      machine_(s.machine, s.workers, s.cores != 0 ? s.cores : s.workers),
      active_(s.workers),
      fewest_(s.workers) {
    if (s.how.victim == threading::victims::nearest)
        nearest_ = std::make_unique<const threading::nearest_map>(s.workers, distances(machine_, s.workers));
    base::rng slow(s.seed * 0x5851F42D4C957F2Du + 1);
    members_.reserve(s.workers);
    for (worker_id w = 0; w < s.workers; ++w) {
        members_.push_back(std::make_unique<member>(*this, w, setup_, nearest_.get(), slow.next()));
        member& m = *members_.back();
        m.shared_line.holder = m.second.holder = m.standing.holder = m.box.holder = w;
        if (s.faults.slow_chance != 0 && slow.below(1U << 16) < s.faults.slow_chance)
            machine_.slow_down(w, s.faults.slow_percent);
        if (s.cores == 0 && !(w == 0 && root_comes_later())) queue.set(w, 0);
    }
    at(0).open = false;  // nobody's victim before it has come in (I11)
    begin_idle();
    if (s.faults.resize_pause != 0) {
        if (s.how.papers) throw std::invalid_argument("a worker whose request circulates cannot go");
        resizing_.emplace(s.workers, s.faults.resize_pause, slow.next());
        queue.set(size(), resizing_->pause());
    }
    if (s.cores == 0) return;
    cores_.emplace(*this, s, slow.next());
    cores_->begin(root_comes_later());
}

// The others have looked for work for a while when worker 0 comes in, as those of a program have that has started its
// runtime before it needs it. So their requests rest.
void pool::begin_idle() {
    if (setup_.how.papers || backs_off() || size() == 1) return;
    for (worker_id w = 0; w < size(); ++w) {
        at(w).attention |= protocol::bits::lobby;
        if (w == 0) continue;
        const protocol::request_id r = protocol::request_of(w);
        at(w).requests[0].state = protocol::request_state::resting;
        at(w).requests[0].wish =
            setup_.how.steal == threading::stealing::half ? protocol::amount::half : protocol::amount::one;
        lobby[r / 64] |= std::uint64_t{1} << r % 64;
        ++resting;
    }
}

// What was on its way when the run ended is in blocks of a deque.
pool::~pool() {
    for (const auto& m : members_)
        for (own_request& r : m->requests)
            for (parcel* p : {&r.answer, &r.load})
                if (p->tasks != nullptr) threading::deque().receive(p->tasks);
}

// --- time ----------------------------------------------------------------------------------------

void pool::read_line(member& m, shared_line& l, spent on_what) {
    let_others_catch_up(m);
    if (l.seen[m.id] == l.version) return;
    l.seen[m.id] = l.version;
    touch_line(m, l.line, on_what);
}
void pool::write_line(member& m, shared_line& l, spent on_what) {
    touch_line(m, l.line, on_what);
    l.seen[m.id] = ++l.version;
}

// The worker whose turn it is, which has a core. Null: the run is over.
member* pool::take_turn() {
    while (!queue.empty() && released == never && !failure_ && !must_stop()) {
        const moment when = queue.next();
        const std::uint32_t whose = queue.take();
        if (whose == size()) {
            resize(when);
        } else if (whose > size()) {
            cores_->slice_ends(whose - first_event_of_cores(), when);
        } else if (shares_cores() && at(whose).core.now == core_of_worker::none) {
            cores_->wants(at(whose), when);
        } else {
            at(whose).turn_at = when;
            return &at(whose);
        }
    }
    return nullptr;
}

// A worker goes on where its stack was left that ran last.
void pool::give_way(member& m) {
    threading::fiber& mine = m.suspended.running();
    member* const next = take_turn();
    if (next == nullptr) return mine.switch_to(main_);
    if (next != &m) mine.switch_to(next->has_begun ? next->suspended.running() : *stacks_[next->id]);
}

// Others may have its core meanwhile.
void pool::wait_for_turn(member& m) {
    queue.set(m.id, m.now);
    give_way(m);
    m.count.time[static_cast<std::size_t>(spent::idle)] += m.turn_at - m.now;
    m.now = m.turn_at;
}

// What a worker does ends by an exception at most here: no stack is above.
template <class Work>
void pool::on_own_stack(member& m, const Work& work) noexcept {
    try {
        work();
    } catch (...) {
        failure_ = std::current_exception();
    }
    for (;;) m.suspended.running().switch_to(main_);
}

void pool::root_begins(member& root) {
    root_began = root.now;
    for (const auto& m : members_) {
        m->count = {};
        m->parked_at = std::max(m->parked_at, root_began);
    }
}

void pool::live(member& m) noexcept {
    m.has_begun = true;
    m.now = m.turn_at;
    on_own_stack(m, [&] { runner(m).live(); });
}

// What a helper does until a wait can go on.
threading::suspended_wait* pool::help(member& m) noexcept {
    threading::suspended_wait* next = nullptr;
    try {
        m.depth = m.calls = 0;
        m.stack = m.suspended.number_of_stack();
        threading::another_can_go_on<virtual_host> condition{virtual_host(m)};
        threading::wait_loop(virtual_host(m), protocol::standing::between_tasks, condition);
        spend(m, spent::queue, cost().suspend);
        next = condition.found;
    } catch (...) {
        failure_ = std::current_exception();
        for (;;) m.suspended.running().switch_to(main_);
    }
    return next;
}

threading::fiber* pool::helper(member& m) {
    threading::fiber* const found = m.suspended.helper(&m, [](void* of) {
        member& self = *static_cast<member*>(of);
        return self.home.help(self);
    });
    if (found == nullptr) throw std::bad_alloc();
    return found;
}

void pool::compute(member& m, moment until) {
    const moment began = m.now;
    const duration away = m.core.away;
    if (until > queue.next() || m.signal_at < m.until) {
        m.does = mode::computes;
        queue.set(m.id, until);
        give_way(m);
        m.does = mode::runs;
        m.now = m.turn_at;
    } else {
        m.now = until;
    }
    const duration without_core = m.core.away - away;
    m.count.time[static_cast<std::size_t>(spent::running)] += m.now - began - without_core;
    m.count.time[static_cast<std::size_t>(spent::idle)] += without_core;
}

void pool::rest(member& m, mode how, moment until) {
    m.does = how;
    m.parked_at = m.now;
    if (until != never) queue.set(m.id, until);
    if (how == mode::sleeps) {
        if (shares_cores()) cores_->falls_asleep(m);
        if (root_comes_later() && !at(0).has_begun && sleepers + 1 == static_cast<int>(size())) queue.set(0, m.now);
    } else if (m.core.gives_way) {
        cores_->gives_way(m);
    }
    give_way(m);
    m.does = mode::runs;
    m.now = m.turn_at;
    m.count.time[static_cast<std::size_t>(spent::idle)] += m.now - m.parked_at;
    stall_perhaps(m);
}

duration pool::give_core_away(member& m, moment until) {
    const duration before = m.core.away;
    m.core.gives_way = true;
    park(m, until);
    m.core.gives_way = false;
    return m.core.away - before;
}

void pool::stall_perhaps(member& m) {
    const faults& f = setup_.faults;
    while (f.stall_chance != 0 && m.chance.below(1U << 16) < f.stall_chance) {
        m.now += f.stall;
        m.count.time[static_cast<std::size_t>(spent::idle)] += f.stall;
        wait_for_turn(m);
    }
}

void pool::stir(member& whom, moment when) {
    whom.touched = true;
    if (whom.does == mode::spins && !whom.core.waits) queue.set_if_earlier(whom.id, std::max(when, whom.now));
}

void pool::wake(member& waker, member& whom) {
    spend(waker, spent::requests, cost().wake);
    wake_at(whom, waker.now + cost().wake_delay);
}
void pool::wake_at(member& whom, moment when) {
    if (whom.does != mode::sleeps || whom.woken) return;
    whom.woken = true;
    if (!whom.core.waits) queue.set(whom.id, std::max(whom.now, when));
}

// --- tasks ---------------------------------------------------------------------------------------

task* pool::cut_off(member& m, loop_part& loop, protocol::cut c) {
    task* const part = store.make();
    part->serial = next_serial();
    part->what = task_kind::part_of_loop;
    part->maker = m.id;
    part->kind = loop.kind;
    part->group = loop.group;
    const std::uint64_t from = loop.to - c.share;
    part->words = {from, loop.to, loop.all};
    part->chunks = c.chunks;
    part->each = loop.times.each();
    loop.to = from;
    loop.chunks = 2;
    ++loop.group->open;
    ++m.count.splits;
    show(m, doing::split, phase::happens, c.share);
    return part;
}

std::uint64_t pool::next_serial() noexcept {
    made_sum_ += hash(++serials_);
    return serials_;
}
void pool::begun(const task& t) {
    ++begun_count_;
    begun_sum_ += hash(t.serial);
}
void pool::ended(moment when) noexcept {
    ++ended_count_;
    last_task_ = std::max(last_task_, when);
}

void pool::barrier_opens(moment when) {
    barriers.emplace_back();
    barriers.back().opened = when;
}

void pool::announce_end(moment when) {
    require_nothing_left();
    if (barriers.empty() || barriers.back().announced != never)
        throw broken_promise("the end was announced while worker 0 did not wait for it");
    barrier_report& now = barriers.back();
    now.last_task = std::max(now.opened, last_task_);
    now.announced = when;
}

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
        if (whom.asleep) wake_at(whom, when + cost().wake_delay);
    }
}

// --- the run -------------------------------------------------------------------------------------

// Asked for each turn; answered now and then.
bool pool::must_stop() {
    if (++events_ % events_between_questions != 0) return false;
    try {
        if (setup_.stops && setup_.stops()) throw stopped();
        const moment last = std::max(last_task_, busy_until_);
        if (queue.next() != never && queue.next() > last + most_time_without_task)
            throw broken_promise(ended_count_ == serials_ ? "the end was not announced within 100 s after the last task"
                                                          : "tasks are left, and for 100 s nobody has run any");
    } catch (...) {
        failure_ = std::current_exception();
    }
    return failure_ != nullptr;
}

run_report pool::run() {
    for (worker_id w = 0; w < size(); ++w) {
        stacks_.push_back(std::make_unique<threading::fiber>(
            member::stack_size,
            [](void* worker) noexcept {
                member& self = *static_cast<member*>(worker);
                self.home.live(self);
            },
            members_[w].get()));
    }
    member* const first = shares_cores() ? take_turn() : &at(queue.take());
    if (first != nullptr) main_.switch_to(*stacks_[first->id]);
    if (failure_) std::rethrow_exception(failure_);
    if (released == never) throw broken_promise("the end was never announced: nothing can happen any more");
    check_end();
    return report();
}

}  // namespace parley::inline v0::sim::timed
