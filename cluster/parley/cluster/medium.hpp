// How one rank reaches the others: MPI, threads of one process, or a simulator.
#pragma once

#include <parley/cluster/message.hpp>

#include <cstdint>
#include <string>

namespace parley::inline v0::cluster {

class medium {
public:
    virtual ~medium() = default;

    [[nodiscard]] virtual position self() const = 0;
    [[nodiscard]] virtual position ranks() const = 0;

    // Never waits. Messages of a pair of ranks arrive in the order of their sending; no other order is promised.
    virtual void send(position to, const header&, bytes payload) = 0;
    // False: nothing has arrived.
    virtual bool receive(header&, bytes& payload) = 0;
    // Nothing to do for the `round`-th time in a row: lets others run until something may have arrived.
    virtual void pause(unsigned round) = 0;

    // Seconds since some moment; virtual ones in a simulator.
    [[nodiscard]] virtual double now() = 0;
    // Lets `seconds` pass as a computation would.
    virtual void compute(double seconds) = 0;

    // Whether any thread may call this, one at a time; now() and compute() may be called by all at once.
    [[nodiscard]] virtual bool serves_any_thread() const = 0;
    // And also while the program talks to others by the same means.
    [[nodiscard]] virtual bool serves_any_time() const { return serves_any_thread(); }
    // Collective, at set-up only: whether all ranks have said the same.
    virtual bool all_say(std::uint64_t) = 0;
    // Whether the others go on when a rank is lost.
    [[nodiscard]] virtual bool may_lose_ranks() const { return false; }
    // How many ranks are gone. Those left have new positions from then on, in the old order; self() and ranks() follow.
    [[nodiscard]] virtual std::uint32_t losses() { return 0; }
    // Something is wrong that this rank cannot mend. Every rank learns of it and ends, or throws `error`.
    virtual void give_up(const std::string& why) = 0;
};

}  // namespace parley::inline v0::cluster
