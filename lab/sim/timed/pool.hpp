// All virtual workers of a run, what they share, and whose turn it is.
#pragma once

#include <lab/sim/timed/elements.hpp>
#include <lab/sim/timed/event_queue.hpp>
#include <lab/sim/timed/jobs.hpp>
#include <lab/sim/timed/machine.hpp>
#include <lab/sim/timed/member.hpp>
#include <lab/sim/timed/report.hpp>
#include <lab/sim/timed/resizing.hpp>
#include <lab/sim/timed/shape.hpp>
#include <lab/sim/timed/shared_cores.hpp>
#include <parley/detail/policy/nearest.hpp>
#include <parley/detail/stacks/fiber.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::timed {

// Who looks after the others, as sync/role.hpp.
class watch_role {
public:
    bool take(worker_id who) noexcept {
        if (holder_ == protocol::no_worker) holder_ = who;
        return holder_ == who;
    }
    void give_up(worker_id who) noexcept {
        if (holder_ == who) holder_ = protocol::no_worker;
    }
    [[nodiscard]] bool is_taken() const noexcept { return holder_ != protocol::no_worker; }

private:
    worker_id holder_ = protocol::no_worker;
};

// Each worker has a clock and stacks. Whoever is about to touch a cache line that others touch, too, or has come to the
// end of a step, goes on only when nobody is behind it: so what happens, happens in the order of time, and nobody sees
// what has not happened yet. What lies between two such moments touches only what no other worker reads.
class pool {
public:
    pool(const setup& s, shape& program);
    ~pool();
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;

    run_report run();

    [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(members_.size()); }
    [[nodiscard]] member& at(worker_id w) noexcept { return *members_[w]; }
    [[nodiscard]] const setup& chosen() const noexcept { return setup_; }
    // Are workers interrupted that do not look?
    [[nodiscard]] bool watches() const noexcept { return setup_.how.watchdog != watchdogs::off && size() > 1; }
    [[nodiscard]] bool backs_off() const noexcept { return setup_.how.failed == threading::failed_requests::backoff; }
    [[nodiscard]] bool paces_answers() const noexcept {
        return threading::pace::matters(setup_.how, size(), watches(), !setup_.how.papers);
    }
    [[nodiscard]] const costs& cost() const noexcept { return machine_.cost(); }
    [[nodiscard]] const machine& places() const noexcept { return machine_; }

    // --- time ---
    void spend(member& m, spent on_what, duration d) noexcept {
        const duration took = machine_.on(m.id, d);
        m.now += took;
        m.count.time[static_cast<std::size_t>(on_what)] += took;
    }
    // What a task takes here that takes `d` on a core of its own.
    [[nodiscard]] duration task_on(const member& m, duration d) const {
        return program.really_computes() ? machine_.at_work(m.id, d) : machine_.on(m.id, d);
    }
    // Whatever is done to it is done at once then; what that takes is spent before.
    void touch_line(member& m, cache_line& l, spent on_what) {
        let_others_catch_up(m);
        if (l.holder == m.id) return;
        const moment begin = std::max(m.now, l.free_at);
        l.free_at = begin + machine_.transfer(l.holder, m.id);
        l.holder = m.id;
        m.count.time[static_cast<std::size_t>(on_what)] += l.free_at - m.now;
        m.now = l.free_at;
    }
    // So many lines that nobody else wants.
    void fetch(member& m, worker_id from, std::uint32_t lines, spent on_what) noexcept {
        const duration took = lines * machine_.transfer(from, m.id);
        m.now += took;
        m.count.time[static_cast<std::size_t>(on_what)] += took;
    }
    // Iteration `i` begins here. Returns how long its lines take to come from the worker that ran it last.
    [[nodiscard]] duration fetch_elements(member& m, std::uint32_t loop, std::uint64_t i) {
        if (setup_.iteration_lines == 0) return 0;
        const worker_id from = elements_.move(loop, i, m.id);
        if (from == m.id || from == protocol::no_worker) return 0;
        ++m.count.moved;
        return setup_.iteration_lines * machine_.transfer(from, m.id);
    }
    void read_line(member& m, shared_line& l, spent on_what);
    void write_line(member& m, shared_line& l, spent on_what);
    // May anybody be marked asleep?
    [[nodiscard]] bool anybody_sleeps(member& m) {
        read_line(m, sleepers_line, spent::requests);
        return sleepers > 0;
    }
    void let_others_catch_up(member& m) {
        while (m.now > queue.next()) {
            wait_for_turn(m);
            stall_perhaps(m);
        }
    }
    // After each push, and before each pop: a step of a task.
    void step_ends(member& m) {
        if (m.now <= queue.next() && ++steps_ % most_steps != 0) return;
        wait_for_turn(m);
        stall_perhaps(m);
    }
    // Until then, or until a signal comes.
    void compute(member& m, moment until);
    // Does nothing until then, or until it is stirred, or woken.
    void rest(member& m, mode how, moment until);
    void park(member& m, moment until) { rest(m, mode::spins, until); }
    // Parks, and lets any other thread have its core. Returns how long others had it.
    duration give_core_away(member& m, moment until);
    // A stack for tasks from elsewhere. Without memory for one the run fails.
    [[nodiscard]] threading::fiber* helper(member& m);
    // What a spinner waits for may have come.
    void stir(member& whom, moment at);
    void wake(member& waker, member& whom);
    // That one is marked asleep: it runs from then on.
    void wake_at(member& whom, moment at);
    void computes_until(moment at) noexcept { busy_until_ = std::max(busy_until_, at); }

    // --- witnesses ---
    [[nodiscard]] bool is_seen() const noexcept { return setup_.seen_by != nullptr; }
    void show(const member& m, doing what, phase how, std::uint64_t number = 0) {
        if (is_seen()) [[unlikely]]
            setup_.seen_by->sees({what, how, m.id, m.stack, m.now, number});
    }

    // --- tasks ---
    task_store store;
    // Iterations [from, end) of a running loop, as a task.
    [[nodiscard]] task* cut_off(member& m, loop_part& loop, protocol::cut c);
    [[nodiscard]] std::uint64_t next_serial() noexcept;
    void begun(const task& t);
    void ended(moment at) noexcept;
    // Must hold whenever worker 0 is released.
    void require_nothing_left() const;

    // --- barriers ---
    void barrier_opens(moment at);
    void announce_end(moment at);
    std::vector<barrier_report> barriers;  // the last one may not be over
    std::uint32_t barriers_left;           // at the end

    // --- workers that come and go ---
    [[nodiscard]] bool is_to_go(worker_id w) const noexcept { return w >= active_; }

    // --- fewer cores than threads ---
    [[nodiscard]] bool shares_cores() const noexcept { return cores_.has_value(); }
    // Numbers of events: workers, whoever resizes, cores.
    [[nodiscard]] std::uint32_t first_event_of_cores() const noexcept { return size() + 1; }

    // --- shared by the media ---
    std::vector<std::uint64_t> lobby;
    std::uint32_t resting = 0;  // requests in it
    std::vector<shared_line> lobby_lines;
    int sleepers = 0;  // workers that are marked asleep
    shared_line barrier_line, counter_line, sleepers_line;
    job_channel jobs;
    bool barrier_open = false;
    worker_id manager = 0;
    std::uint32_t registered_idle = 0;
    watch_role watch, deputy;
    const threading::chosen_splitting split;

    event_queue queue;
    shape& program;
    duration work_done = 0;
    void count_work(duration d) {
        if (d > most_work - work_done) throw too_much_work();
        work_done += d;
    }
    moment root_began = 0, root_done = never, released = never;
    // Nothing that was before counts.
    void root_begins(member& root);
    // When all the others sleep. Else all begin together.
    [[nodiscard]] bool root_comes_later() const noexcept { return setup_.asleep && setup_.workers > 1; }

private:
    void begin_idle();
    // Returns when it is its turn again.
    void give_way(member& m);
    void wait_for_turn(member& m);
    [[nodiscard]] member* take_turn();
    [[nodiscard]] bool must_stop();
    void stall_perhaps(member& m);
    template <class Work>
    void on_own_stack(member& m, const Work& work) noexcept;
    void live(member& m) noexcept;
    [[nodiscard]] threading::suspended_wait* help(member& m) noexcept;
    void check_end() const;
    [[nodiscard]] run_report report();
    void resize(moment at);

    setup setup_;
    machine machine_;
    elements elements_;
    std::unique_ptr<const threading::nearest_map> nearest_;
    std::vector<std::unique_ptr<member>> members_;
    threading::fiber main_;
    std::vector<std::unique_ptr<threading::fiber>> stacks_;
    std::exception_ptr failure_;
    std::uint64_t events_ = 0;
    // At a time, so that a run can be stopped.
    static constexpr std::uint64_t most_steps = 512;
    std::uint64_t steps_ = 0;
    std::uint64_t serials_ = 0;
    std::uint64_t begun_count_ = 0, ended_count_ = 0;
    std::uint64_t made_sum_ = 0, begun_sum_ = 0;  // of hashes of serials: equal if the same tasks
    moment last_task_ = 0, busy_until_ = 0;
    std::optional<resizing> resizing_;
    std::optional<shared_cores> cores_;
    std::uint32_t active_, fewest_;  // workers below that number are not to go
    std::uint64_t resizes_ = 0;
};

// Something that takes time and is done in one piece, as a witness sees it.
class showing {
public:
    showing(pool& home, const member& m, doing what, std::uint64_t number) : home_(home), member_(m), what_(what) {
        home.show(m, what, phase::begins, number);
    }
    ~showing() { home_.show(member_, what_, phase::ends); }
    showing(const showing&) = delete;
    showing& operator=(const showing&) = delete;

private:
    pool& home_;
    const member& member_;
    const doing what_;
};

}  // namespace parley::inline v0::sim::timed
