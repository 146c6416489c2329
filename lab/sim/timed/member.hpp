// A worker in virtual time: what others see of it, and what it does.
#pragma once

#include <lab/sim/timed/channel_lock.hpp>
#include <lab/sim/timed/choices.hpp>
#include <lab/sim/timed/machine.hpp>
#include <lab/sim/timed/report.hpp>
#include <lab/sim/timed/task_queue.hpp>
#include <parley/detail/base/rng.hpp>
#include <parley/detail/policy/ahead_of_time.hpp>
#include <parley/detail/policy/backoff.hpp>
#include <parley/detail/policy/block_length.hpp>
#include <parley/detail/policy/gain.hpp>
#include <parley/detail/policy/pace.hpp>
#include <parley/detail/policy/patience.hpp>
#include <parley/detail/policy/strategies.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace parley::inline v0::sim::timed {

using protocol::worker_id;
namespace bits = protocol::bits;

// The mark of a sleeper in its attention word, as in sync/attention.hpp.
inline constexpr bits::word asleep_mark = bits::word{1} << 31;

// One of a worker's requests, with its task channel.
struct own_request {
    protocol::request_state state = protocol::request_state::home;
    protocol::amount wish = protocol::amount::one;
    bool letter_away = false;
    bool answered = false;  // something is in the task channel: `answer`, or nothing
    std::vector<task> answer;
    worker_id victim = protocol::no_worker;
    bool goes_on = false;
    std::vector<task> load;  // what the letter brings, and to whom
    worker_id taker = protocol::no_worker;
};

enum class frame_kind : std::uint8_t {
    idle,     // a thread without a task: until the end
    barrier,  // worker 0's, between phases and at the end
    helper,   // on a stack of its own, until a wait that is suspended can go on
    task,
    call,  // done as part of the frame below
    loop,  // a part of a loop; the first one awaits the others
};

// A task that has begun, or a wait.
struct frame {
    frame_kind kind = frame_kind::task;
    bool waits = false;
    bool counted = false;  // as a task that ends here
    activity act;
    worker_id owner = 0;
    std::uint32_t group = nobody;  // the frame that awaits it
    task_kind told = task_kind::plain;
    std::uint32_t open = 0;    // tasks that it awaits
    std::uint64_t forked = 0;  // the newest fork
    duration left = 0;         // of what it computes
    // Of a loop: iterations [from, to) have not begun.
    std::uint64_t from = 0, to = 0, all = 0;
    std::uint32_t chunks = 2;  // that it is to be cut into
    std::optional<threading::block_length> length;
    bool in_block = false;
    // For a witness.
    bool is_shown = false;    // as a task
    std::uint16_t stack = 0;  // whose lowest frame this is
};

using stack = std::vector<std::uint32_t>;  // frames, the innermost last

enum class mode : std::uint8_t { runs, computes, spins, sleeps };

struct member {
    member(worker_id self, const setup& s, const threading::nearest_map* map, std::uint64_t luck)
        : id(self),
          machine(worker_with(s.how, s.workers, s.seed, self, map)),
          waits(machine.circulates() ? 1 : s.workers, s.how.patience),
          answers(s.workers),
          early(s.how.early),
          chance(luck) {}

    const worker_id id;
    moment now = 0;      // its clock
    moment turn_at = 0;  // when its turn came
    mode does = mode::runs;
    moment until = 0;          // it computes
    moment signal_at = never;  // comes

    // What others see.
    bits::word attention = 0;
    bool open = true;
    fifo<protocol::travel> letters, messages;
    std::array<own_request, protocol::most_requests> requests;
    protocol::published_state shown;
    bool registered = false;  // as idle
    bool has_looked = false;  // since the bell rang, and had nothing to give
    bool called = false;      // a signal is on its way
    cache_line front, second, standing, box;
    channel_lock letters_lock;

    // Its own.
    worker_of_either machine;
    task_queue tasks;
    stack running;
    std::vector<stack> suspended;      // the oldest first
    std::vector<std::uint32_t> loops;  // that it is in, the outermost first
    threading::patience waits;
    threading::gain steals;
    threading::pace answers;
    bool puts_off = false;
    threading::backoff pauses;
    threading::ahead_of_time early;
    base::rng chance;  // of faults

    // How long it has found nothing to do.
    moment idle_since = never;
    bool has_interrupted = false;
    moment asleep_since = never;  // if it has asked, and does not back off
    bool touched = false;         // since it last looked
    bool woken = false;
    duration watch_pause = 0;  // between two looks at the others; 0: it is not in charge
    moment parked_at = 0;
    worker_id news_for = protocol::no_worker;  // who is to be told that tasks have ended
    std::uint32_t news_group = nobody;
    bool closes_barrier = false;  // worker 0: it was released
    std::optional<task> job;      // in hand: what is in the deque may be newer, and may wait for it
    bool goes = false;            // it is leaving, or away (leaving.cpp)

    std::optional<doing> pause;  // without a task: what it does, for a witness

    worker_report count;
    std::uint64_t tasks_run = 0;
};

}  // namespace parley::inline v0::sim::timed
