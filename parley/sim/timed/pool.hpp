// All virtual workers of a run, what they share, and whose turn it is.
#pragma once

#include <parley/runtime/nearest.hpp>
#include <parley/sim/timed/event_queue.hpp>
#include <parley/sim/timed/machine.hpp>
#include <parley/sim/timed/member.hpp>
#include <parley/sim/timed/report.hpp>
#include <parley/sim/timed/shape.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace parley::inline v0::sim::timed {

// What becomes of a handler's time: while it runs, its worker's clock goes on; it is one step for the others, which
// see what it does from its beginning on. But whoever touches a cache line waits until all that touched it before are
// done with it; so no effect comes before its cause by anybody's clock. A handler that has run ahead of the others
// lets them catch up before it receives the next letter: the mailbox has by then what is in it by then.
class pool {
public:
    pool(const setup& s, shape& program);

    run_report run();

    [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(members_.size()); }
    [[nodiscard]] member& at(worker_id w) noexcept { return *members_[w]; }
    [[nodiscard]] const setup& chosen() const noexcept { return setup_; }
    [[nodiscard]] const costs& cost() const noexcept { return machine_.cost(); }
    [[nodiscard]] const machine& places() const noexcept { return machine_; }

    // --- time ---
    void spend(member& m, spent on_what, duration d) noexcept {
        const duration took = machine_.on(m.id, d);
        m.now += took;
        m.count.time[static_cast<std::size_t>(on_what)] += took;
    }
    void touch_line(member& m, cache_line& l, spent on_what) noexcept {
        if (l.holder == m.id) return;
        const moment begin = std::max(m.now, l.free_at);
        l.free_at = begin + machine_.transfer(l.holder, m.id);
        l.holder = m.id;
        m.count.time[static_cast<std::size_t>(on_what)] += l.free_at - m.now;
        m.now = l.free_at;
    }
    void read_line(member& m, shared_line& l, spent on_what);
    void write_line(member& m, shared_line& l, spent on_what);
    // Up to when may whoever's turn it is go on without the others?
    [[nodiscard]] moment horizon() const noexcept;
    void catch_up(member& m);
    // What a spinner waits for may have come.
    void stir(member& whom, moment at);
    void wake(member& waker, member& whom);

    // --- tasks ---
    [[nodiscard]] frame& frame_of(std::uint32_t f) noexcept { return frames_[f]; }
    std::uint32_t new_frame(frame_kind kind, worker_id owner);
    void free_frame(std::uint32_t f);
    [[nodiscard]] std::uint64_t next_serial() noexcept;
    void begun(const task& t);
    void ended(moment at) noexcept;
    // Must hold whenever worker 0 is released.
    void require_nothing_left() const;

    // --- shared by the media ---
    std::vector<std::uint64_t> lobby;
    std::uint32_t resting = 0;  // requests in it
    std::vector<shared_line> lobby_lines;
    shared_line barrier_line, counter_line;
    bool barrier_open = false;
    worker_id manager = 0;
    std::uint32_t registered_idle = 0;
    worker_id watch = protocol::no_worker;  // who looks after the others
    const threading::chosen_splitting split;

    event_queue queue;
    shape& program;
    duration work_done = 0;
    moment root_done = never, released = never;

private:
    void activate();
    void check_progress();
    void check_end() const;

    setup setup_;
    machine machine_;
    std::unique_ptr<const threading::nearest_map> nearest_;
    std::vector<std::unique_ptr<member>> members_;
    std::deque<frame> frames_;  // they stay where they are
    std::vector<std::uint32_t> free_frames_;
    moment catching_up_to_ = never;
    bool is_catching_up_ = false;
    std::uint64_t events_ = 0;
    std::uint64_t serials_ = 0;
    std::uint64_t begun_count_ = 0, ended_count_ = 0;
    std::uint64_t made_sum_ = 0, begun_sum_ = 0;  // of hashes of serials: equal if the same tasks
    moment last_task_ = 0;
};

}  // namespace parley::inline v0::sim::timed
