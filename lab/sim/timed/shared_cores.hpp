// Fewer cores than threads: virtual workers, and programs beside them that do nothing but compute. Who has a core is
// decided as a kernel does it that knows no priorities:
//
// 1. A thread that can run gets a free core, if possible the one that it had last. Else it waits at the one that it had
//    last, where it gets the core at once from a worker that gives way (sched_yield).
// 2. After each time slice a thread loses its core to the one that has waited there longest, and waits there itself. A
//    core at which nobody waits then takes over the one that has waited longest elsewhere.
// 3. A worker that gives way lets those run that wait at its core. A core whose thread falls asleep goes to one of them,
//    or else to the one that has waited longest elsewhere.
// 4. A thread pays for a switch where another one has had the core before it.
#pragma once

#include <lab/sim/timed/report.hpp>
#include <lab/sim/timed/time.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace parley::inline v0::sim::timed {

class pool;
struct member;

class shared_cores {
public:
    // `s.cores` is not 0. Slices begin at moments that are drawn by `luck`.
    shared_cores(pool& home, const setup& s, std::uint64_t luck);

    // All threads want a core at once, in an order that is drawn; the root's worker comes first, or later.
    void begin(bool root_comes_later);
    // A worker without a core can run from now on.
    void wants(const member& m, moment at) { wants(thread_of(m), at); }
    // A worker gives up its core, at its own time.
    void falls_asleep(member& m);
    void gives_way(const member& m);
    // The event of a core.
    void slice_ends(std::uint32_t core, moment at);

private:
    using thread = std::uint32_t;  // workers by their numbers, then the programs beside them
    struct waiting_thread {
        thread who;
        moment since;
    };
    struct core {
        thread now, last;
        moment since = 0;  // a slice of its thread began
        std::deque<waiting_thread> waiting = {};
    };

    [[nodiscard]] static thread thread_of(const member& m) noexcept;
    [[nodiscard]] bool is_worker(thread t) const noexcept;
    [[nodiscard]] std::uint32_t event_of(std::uint32_t core) const noexcept;
    void wants(thread t, moment at);
    [[nodiscard]] std::uint32_t core_for(thread t) const noexcept;
    [[nodiscard]] bool gives_way(std::uint32_t core) const noexcept;
    void wait(std::uint32_t core, thread t, moment at);
    [[nodiscard]] std::uint32_t where_next_waits(std::uint32_t core) const noexcept;
    [[nodiscard]] thread take_next(std::uint32_t core);
    void assign(std::uint32_t core, thread t, moment at);
    void lose(std::uint32_t core, moment at);
    void resume(member& m, std::uint32_t core, moment at);
    [[nodiscard]] moment end_of_slice(std::uint32_t core, moment after) const noexcept;

    pool& home_;
    const std::uint32_t beside_;
    const duration slice_;
    std::uint64_t luck_;
    std::vector<core> cores_;
    std::uint32_t waiting_ = 0;  // at all cores
};

}  // namespace parley::inline v0::sim::timed
