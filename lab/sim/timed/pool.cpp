#include <lab/sim/timed/driver.hpp>
#include <lab/sim/timed/pool.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::timed {

namespace {

constexpr duration most_time_without_task = 100 * second;
constexpr std::size_t least_stack = 64 << 10;
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
      jobs(s.workers),
      manager(protocol::manager_of(s.workers)),
      split(threading::strategy_of(s.how.split)),
      queue(s.workers + 1),
      program(what),
      setup_(s),
      machine_(s.machine, s.workers),
      active_(s.workers),
      fewest_(s.workers) {
    if (s.how.victim == threading::victims::nearest)
        nearest_ = std::make_unique<const threading::nearest_map>(s.workers, distances(machine_, s.workers));
    base::rng slow(s.seed * 0x5851F42D4C957F2Du + 1);
    members_.reserve(s.workers);
    for (worker_id w = 0; w < s.workers; ++w) {
        members_.push_back(std::make_unique<member>(w, setup_, nearest_.get(), slow.next()));
        member& m = *members_.back();
        m.front.holder = m.second.holder = m.standing.holder = m.box.holder = w;
        if (s.faults.slow_chance != 0 && slow.below(1U << 16) < s.faults.slow_chance)
            machine_.slow_down(w, s.faults.slow_percent);
        m.running.push_back(new_frame(w == 0 ? frame_kind::task : frame_kind::idle, w));
        queue.set(w, 0);
        beginnings_.emplace_back(this, &m);
    }
    at(0).open = false;  // nobody's victim before it has come in (I11)
    if (s.faults.resize_pause == 0) return;
    if (s.how.papers) throw std::invalid_argument("a worker whose request circulates cannot go");
    resizing_.emplace(s.workers, s.faults.resize_pause, slow.next());
    queue.set(size(), resizing_->pause());
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

void pool::give_way(member& m) {
    threading::fiber& mine = *stacks_[m.id];
    for (;;) {
        if (queue.empty() || released != never || failure_ || must_stop()) return mine.switch_to(main_);
        const moment at_last = queue.next();
        const std::uint32_t whose = queue.take();
        if (whose == size()) {
            resize(at_last);
            continue;
        }
        member& next = at(whose);
        next.turn_at = at_last;
        if (&next != &m) mine.switch_to(*stacks_[next.id]);
        return;
    }
}

void pool::live(member& m) noexcept {
    try {
        for (;;) {
            driver(*this, m).go_on(m.turn_at);
            give_way(m);
        }
    } catch (...) {
        failure_ = std::current_exception();
    }
    for (;;) stacks_[m.id]->switch_to(main_);
}

void pool::stir(member& whom, moment when) {
    whom.touched = true;
    if (whom.does == mode::spins) queue.set_if_earlier(whom.id, std::max(when, whom.now));
}

void pool::wake(member& waker, member& whom) {
    spend(waker, spent::requests, cost().wake);
    wake_at(whom, waker.now + cost().wake_delay);
}
void pool::wake_at(member& whom, moment when) {
    if (whom.does != mode::sleeps || whom.woken) return;
    whom.woken = true;
    queue.set(whom.id, std::max(whom.now, when));
}

// --- tasks ---------------------------------------------------------------------------------------

std::uint32_t pool::new_frame(frame_kind kind, worker_id owner) {
    std::uint32_t f;
    if (free_frames_.empty()) {
        f = static_cast<std::uint32_t>(frames_.size());
        frames_.emplace_back();
    } else {
        f = free_frames_.back();
        free_frames_.pop_back();
        frames_[f] = frame();
    }
    frames_[f].kind = kind;
    frames_[f].owner = owner;
    frames_[f].waits = kind == frame_kind::idle || kind == frame_kind::helper || kind == frame_kind::barrier;
    return f;
}
task pool::cut_off(member& m, frame& loop, protocol::cut c) noexcept {
    task part;
    part.serial = next_serial();
    part.what = task_kind::part_of_loop;
    part.maker = m.id;
    part.kind = loop.act.kind;
    part.group = loop.group;
    const std::uint64_t from = loop.to - c.share;
    part.words = {from, loop.to, loop.all};
    part.chunks = c.chunks;
    loop.to = from;
    loop.chunks = 2;
    ++frame_of(loop.group).open;
    ++m.count.splits;
    show(m, doing::split, phase::happens, c.share);
    return part;
}
void pool::free_frame(std::uint32_t f) { free_frames_.push_back(f); }

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

void pool::require_nothing_left() const {
    if (ended_count_ != serials_)
        throw broken_promise("the end was announced while " + std::to_string(serials_ - ended_count_) + " tasks were left");
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
            least_stack,
            [](void* argument) noexcept {
                auto& [home, self] = *static_cast<std::pair<pool*, member*>*>(argument);
                home->live(*self);
            },
            &beginnings_[w]));
    }
    main_.switch_to(*stacks_[queue.take()]);
    if (failure_) std::rethrow_exception(failure_);
    if (released == never) throw broken_promise("the end was never announced: nothing can happen any more");
    check_end();
    run_report r;
    r.took = setup_.barrier ? released : root_done;
    r.work = work_done;
    r.released = released;
    r.last_task = last_task_;
    r.tasks = serials_;
    r.events = events_;
    r.barriers = barriers;
    r.resizes = resizes_;
    r.fewest = fewest_;
    for (auto& m : members_) {
        // Who spins or sleeps at the end has done so since it began to.
        if ((m->does == mode::spins || m->does == mode::sleeps) && m->parked_at < r.took)
            m->count.time[static_cast<std::size_t>(spent::idle)] += r.took - m->parked_at;
        m->count.tasks = m->tasks_run;
        r.workers.push_back(m->count);
    }
    return r;
}

void pool::check_end() const {
    require_nothing_left();
    if (!jobs.waiting.empty()) throw broken_promise("tasks that were given up are left after the end");
    if (begun_count_ != serials_ || begun_sum_ != made_sum_) throw broken_promise("a task was lost, or begun twice");
    for (const auto& m : members_) {
        bool empty = m->tasks.empty() && !m->job && m->suspended.empty();
        for (const own_request& r : m->requests) empty = empty && r.answer.empty() && r.load.empty();
        if (!empty) throw broken_promise("worker " + std::to_string(m->id) + " has tasks after the end");
    }
}

}  // namespace parley::inline v0::sim::timed
