// A worker in virtual time: what others see of it, and what it has.
#pragma once

#include <lab/sim/timed/channel_lock.hpp>
#include <lab/sim/timed/choices.hpp>
#include <lab/sim/timed/machine.hpp>
#include <lab/sim/timed/report.hpp>
#include <lab/sim/timed/task.hpp>
#include <parley/detail/base/rng.hpp>
#include <parley/detail/driver/deque.hpp>
#include <parley/detail/driver/policies.hpp>
#include <parley/detail/driver/suspended_waits.hpp>
#include <parley/detail/policy/strategies.hpp>
#include <parley/detail/policy/weighing.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace parley::inline v0::sim::timed {

using protocol::worker_id;
namespace bits = protocol::bits;

// What a victim sends, or a letter brings: tasks, or a block of them (deque::receive).
struct parcel {
    threading::task* tasks = nullptr;
    std::uint32_t count = 0;
};

// One of a worker's requests, with its task channel.
struct own_request {
    protocol::request_state state = protocol::request_state::home;
    protocol::amount wish = protocol::amount::one;
    bool letter_away = false;
    bool answered = false;  // something is in the task channel: `answer`, or nothing
    parcel answer;
    std::uint32_t range = 0;  // that came with it
    worker_id victim = protocol::no_worker;
    bool goes_on = false;
    parcel load;  // what the letter brings, and to whom
    worker_id taker = protocol::no_worker;
};

class pool;

// Of a worker that shares cores (shared_cores.hpp).
struct core_of_worker {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::uint32_t now = none, last = none;  // the one that it has, and had last
    bool waits = false;                     // for one,
    moment waits_since = 0;
    bool gives_way = false;  // it goes on only to see whether somebody else wants its core
    duration away = 0;       // so long it has waited in all
    long losses = 0;         // times it lost its core
};

enum class mode : std::uint8_t { runs, computes, spins, sleeps };

struct member {
    member(pool& all, worker_id self, const setup& s, const threading::nearest_map* map, std::uint64_t luck)
        : home(all),
          id(self),
          machine(worker_with(s.how, s.workers, s.seed, self, map)),
          policy{{machine.circulates() ? 1 : s.workers, s.how.patience},
                 {},
                 threading::pace(s.workers),
                 {},
                 threading::ahead_of_time(s.how.early)},
          chance(luck),
          clock(s.clock) {}

    pool& home;
    const worker_id id;
    moment now = 0;      // its clock
    moment turn_at = 0;  // when its turn came
    mode does = mode::runs;
    moment until = 0;          // it computes
    moment signal_at = never;  // comes

    // What others see.
    bits::word attention = 0;
    bool asleep = false;  // marked so, or about to be
    bool open = true;
    fifo<protocol::letter> letters, messages;
    std::array<own_request, protocol::most_requests> requests;
    protocol::published_state shown;
    bool registered = false;     // as idle
    bool has_looked = false;     // since the bell rang, and had nothing to give
    bool called = false;         // a signal is on its way
    moment keeps_since = never;  // what it has is not worth giving yet (driver/weighing.hpp)
    moment searched_at = -1;     // when it last looked for work, and found none; -1: never
    cache_line shared_line, second, standing, box;
    core_of_worker core;
    channel_lock letters_lock;

    // Its own.
    worker_of_either machine;
    threading::deque tasks;
    threading::suspended_waits suspended{stack_size};
    std::vector<loop_part*> loops;  // that it is in, the outermost first
    threading::policies policy;
    threading::weighed weighed;
    threading::core_losses core_lost;
    bool puts_off = false;
    base::rng chance;  // of faults
    clock_point (*clock)(moment);
    std::uint32_t news_seen = 0;  // how often bits::news was lowered
    std::uint32_t depth = 0;      // waits on this stack
    std::uint32_t calls = 0;      // on this stack, of tasks and what they call
    std::uint64_t scopes = 0;     // that it has spawned in
    std::uint16_t stack = 0;      // which one that is, for a witness
    bool has_begun = false;       // its first turn has come
    bool touched = false;         // since it last looked
    bool woken = false;
    moment parked_at = 0;
    worker_id news_for = protocol::no_worker;  // who is to be told that tasks have ended
    const scope* news_group = nullptr;
    protocol::division divided;      // for the next answer
    threading::task* job = nullptr;  // in hand: what is in the deque may be newer, and may wait for it

    [[nodiscard]] clock_point time_by_clock() const noexcept { return clock(now); }

    // The outermost of those of which something has not begun, or null.
    [[nodiscard]] loop_part* loop_to_split() const noexcept {
        const auto found = std::find_if(loops.begin(), loops.end(), [](const loop_part* l) { return l->from < l->to; });
        return found == loops.end() ? nullptr : *found;
    }

    // The outermost of those of which so much is left, or null.
    [[nodiscard]] loop_part* loop_to_split(threading::weighing::duration least) const noexcept {
        const auto is_wanted = [&](const loop_part* l) {
            return l->from < l->to && !l->own.lasts(l->left(), time_by_clock()) &&
                   l->times.last(l->left(), time_by_clock()) >= least;
        };
        const auto found = std::find_if(loops.begin(), loops.end(), is_wanted);
        return found == loops.end() ? nullptr : *found;
    }

    // Of each stack: room for waits on top of each other (deepest_on_one_stack), and for calls in between.
    static constexpr std::size_t stack_size = std::size_t{1} << 20;

    std::optional<doing> pause;  // without a task: what it does, for a witness

    worker_report count;
    std::uint64_t tasks_run = 0;
    std::uint64_t looped_at = ~std::uint64_t{0};  // so many tasks had run when it last ended a loop or a part of one
    threading::remembered_loops loops_before;
};

}  // namespace parley::inline v0::sim::timed
