// What a virtual worker does in tasks: fork, spawn, join, loops and barriers as in runtime/worker.cpp, loop_run.hpp and
// pool.cpp, on stacks of its own. It waits by the one wait loop (host.hpp).
#pragma once

#include <lab/sim/timed/medium.hpp>
#include <lab/sim/timed/pool.hpp>

#include <cstdint>

namespace parley::inline v0::sim::timed {

class runner {
public:
    explicit runner(member& m) noexcept : me_(m), home_(m.home), cost_(m.home.cost()), medium_(m.home, m) {}

    // On the worker's own stack, from its first turn on.
    void live();

    // Shown: it was taken from the deque, or is a job. What is in a message is shown when it comes out of the deque.
    void begin(threading::task* t, bool is_shown);

    // Tells whoever awaits what this worker has ended (scope_core.hpp).
    void turn_away();

    // Looks up, as worker::attend_quietly() in the runtime, and so after a fork, a spawn, and a block of a loop.
    void look();
    void look_after_fork();
    void look_after_spawn(scope* in);
    void look_in(loop_part& l);

    // What it has not begun becomes jobs (give_up_tasks() of runtime/handing_on.hpp).
    void give_up_tasks();

private:
    // A task, or a call that is part of one.
    struct frame {
        activity act;
        scope here;
        scope* group = nullptr;  // who awaits it
        task* forked = nullptr;  // the newest
        std::uint64_t serial_of_forked = 0;
        bool is_root = false;
    };

    void run_root();
    void run(frame& f);
    void do_deed(frame& f, const next_deed& d);
    void compute(duration left, duration every, bool is_loop = false);
    void compute_piece(duration d);
    void handle_signal();
    [[nodiscard]] task* make(const next_deed& d, scope* group, task_kind what);
    void spawn(const next_deed& d, scope* group);
    void fork(frame& f, const next_deed& d);
    void join(frame& f);
    void wait_for(scope& s);
    void wait_or_barrier(frame& f);
    void barrier();
    void run_loop(const next_deed& d);
    void run_single(std::uint32_t kind);
    threading::loop_times run_part(loop_part l);
    void complete(scope* group, task_kind told);
    void unpack(const task& message);

    // The stack grows down.
    [[nodiscard]] std::uintptr_t frame_address() const noexcept { return ~std::uintptr_t{0} - me_.calls; }
    template <class Keeps>
    bool look(bool at_pace, const Keeps& keeps_to_itself);

    void spend(spent on_what, duration d) noexcept { home_.spend(me_, on_what, d); }

    member& me_;
    pool& home_;
    const costs& cost_;
    medium medium_;
};

}  // namespace parley::inline v0::sim::timed
