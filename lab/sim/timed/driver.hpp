// What a worker does when: the rules of the runtime's wait loop (runtime/wait_loop.hpp), fork, spawn and join
// (runtime/worker.cpp), loops (runtime/loop_run.hpp), sleeping and watching (runtime/watchdog.cpp), in virtual time.
// The decisions are the runtime's own: its protocol, and its policies over points in time.
#pragma once

#include <lab/sim/timed/medium.hpp>
#include <lab/sim/timed/pool.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace parley::inline v0::sim::timed {

class driver {
public:
    driver(pool& home, member& m) noexcept : home_(home), me_(m), cost_(home.cost()), medium_(home, m) {}

    // From this moment on: until it computes, waits for others, or is ahead of them.
    void go_on(moment now);

private:
    // --- tasks (driver.cpp) ---
    [[nodiscard]] frame& top() noexcept { return home_.frame_of(me_.running.back()); }
    void resume(moment now);
    bool stalls();
    void step();
    void run_task();
    void compute(const frame& f);
    [[nodiscard]] duration piece_of(const frame& f) const;
    void begins_to_compute(duration d);
    void goes_on_computing();
    void after_computing();
    void handle_signal();
    void spawn(const next_deed& d, std::uint32_t group, task_kind what);
    void take_back_fork();
    void begin(const task& t, bool is_shown = false);
    void end_task();
    void complete(std::uint32_t group, task_kind told);
    void turn_away();
    void enter_root();

    void begin_loop(const next_deed& d);
    void enter_loop(std::uint32_t f);
    void run_loop();
    void leave_loop();

    // --- looking up (looking_up.cpp) ---
    void look(bool at_pace = false);
    void serve_at_pace();
    void serve_others(bool briefly = false);
    void show_whether_it_has_looked();
    void has_not_looked();

    // --- waiting (waiting.cpp) ---
    void wait_turn();
    [[nodiscard]] bool holds(std::uint32_t f);
    void stop_waiting();
    bool run_own_task();
    void ask_early();
    void look_elsewhere();
    [[nodiscard]] std::size_t ready_one() const noexcept;
    [[nodiscard]] std::uint16_t free_stack();
    bool go_on_with_another();
    bool do_foreign_tasks();
    bool take_from_own_loop();
    [[nodiscard]] protocol::asking what_to_ask_for();
    void idle(protocol::asking asks);
    void rest_and_interrupt();
    void fall_asleep(protocol::asking asks);
    void lie_down();
    void wake_up();
    void park(moment deadline);
    void forget_waiting() noexcept;
    void found_something();
    void turn_to(std::optional<doing> pause);

    // --- barriers (barriers.cpp) ---
    void open_barrier();
    void close_barrier();

    // --- workers that come and go (leaving.cpp) ---
    [[nodiscard]] bool is_to_go() const noexcept { return home_.is_to_go(me_.id); }
    [[nodiscard]] bool backs_off() const noexcept {
        return home_.chosen().how.failed == threading::failed_requests::backoff;
    }
    bool leave_or_stay();
    void sit_out();
    void give_up_tasks();
    void give_up_loops();
    void unpack(const task& message);

    // --- watching (watching.cpp) ---
    [[nodiscard]] bool watches() const noexcept;
    bool look_after_others(bool interrupts);
    void ask_to_be_watched();
    void take_watch();
    void watch_again();
    void give_up_watch();

    void spend(spent on_what, duration d) noexcept { home_.spend(me_, on_what, d); }
    [[nodiscard]] protocol::standing where() noexcept {
        const frame_kind k = top().kind;
        const bool between = k == frame_kind::idle || k == frame_kind::barrier || k == frame_kind::helper;
        return between ? protocol::standing::between_tasks : protocol::standing::in_task;
    }

    pool& home_;
    member& me_;
    const costs& cost_;
    medium medium_;
};

}  // namespace parley::inline v0::sim::timed
