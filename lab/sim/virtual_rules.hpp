// What the threads do beside the protocol, as far as a simulation can be told to do it wrong: a medium inherits it, and a
// broken one says something else.
#pragma once

#include <lab/sim/program.hpp>
#include <parley/detail/base/completion_word.hpp>
#include <parley/detail/protocol/request.hpp>

#include <cstdint>

namespace parley::inline v0::sim {

// As in runtime/pool.hpp.
constexpr std::uint32_t waiter_number(protocol::worker_id id) noexcept { return id + 2; }

struct virtual_rules {
    // The word of a completion, after one more waiter has announced itself.
    static std::uint32_t announced(std::uint32_t word, std::uint32_t waiter) noexcept {
        return parley::base::completion_word::with(word, waiter);
    }
    // Is a task isolated for whoever runs it?
    static bool runs_isolated(const task_program& t) noexcept { return t.is_isolated; }
    // Does a worker hand on its tasks before it blocks?
    static bool hands_on_before_blocking() noexcept { return true; }
    // Does a suspended worker, or a stand-in?
    static bool hands_on_before_going() noexcept { return true; }
    // Does a thread that sleeps in a second runtime sleep as a worker of its first one?
    static bool sleeps_as_first_worker() noexcept { return true; }
    // Does it wait there for what it is told alone, and not look at its own word once it has said as whom it sleeps?
    static bool looks_only_where_told() noexcept { return false; }
    // Does whoever wakes it look as whom it sleeps before raising the bit?
    static bool looks_at_relay_first() noexcept { return false; }
};

}  // namespace parley::inline v0::sim
