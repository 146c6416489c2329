// Everything that virtual workers share, as one plain value: it is copied, compared, and is all
// that an exploration has to remember besides what each agent is doing.
#pragma once

#include <lab/sim/operation.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>

#include <cstdint>
#include <vector>

namespace parley::inline v0::sim {

namespace bits = protocol::bits;

// The mark of a sleeper in its attention word, as in sync/attention.hpp.
inline constexpr bits::word asleep_mark = bits::word{1} << 31;

struct mailbox {
    bool open = true;
    std::vector<protocol::letter> letters;  // oldest first
    friend bool operator==(const mailbox&, const mailbox&) = default;
};

// Where the travelling message of a request is, if no agent holds it.
inline constexpr agent_id with_thief = ~agent_id{0};
inline constexpr agent_id in_mailbox = ~agent_id{0} - 1;
inline constexpr agent_id nobody = ~agent_id{0};

// protocol::published_state, comparable.
struct published_words {
    bool idle = false;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    friend bool operator==(const published_words&, const published_words&) = default;
};

// One of a worker's requests, with its task channel.
struct own_request {
    protocol::request_state state = protocol::request_state::home;
    protocol::amount wish = protocol::amount::one;
    bool letter_away = false;
    std::vector<task_id> answer;  // empty: nothing in the task channel; no_task alone: an answer without tasks
    protocol::worker_id victim = protocol::no_worker;  // whose answer it is
    bool goes_on = false;                              // the letter, after that answer
    std::vector<task_id> load;                         // what the letter brings, and
    protocol::worker_id taker = protocol::no_worker;   // to whom

    // What the checks remember.
    agent_id letter_holder = with_thief;
    agent_id claimer = nobody;  // while taken; where requests circulate: who received it and may answer
    friend bool operator==(const own_request&, const own_request&) = default;
};

// Does a worker that is to go take a job, because nobody else does? (driver/resizing.hpp)
enum class hand : std::uint8_t { no, offered, lent };

struct member {
    // Shown to others.
    mailbox letters;
    std::vector<protocol::letter> messages;  // of a manager
    std::vector<own_request> requests;
    bits::word attention = 0;
    published_words standing;
    bool registered_idle = false;  // where requests circulate

    // Its own.
    std::vector<task_id> deque;  // oldest first
    std::uint32_t held = 0;      // so many of the oldest it must not run: they are older than an isolated region
    bool isolated = false;       // its waits take nothing that was not made on its stack since
    std::uint64_t tasks_run = 0;

    hand lends_a_hand = hand::no;

    bool woken = false;  // for the checks: the futex has been woken since it began to sleep
    friend bool operator==(const member&, const member&) = default;
};

enum class task_status : std::uint8_t { unborn, queued, running, done, dropped };

struct task_state {
    task_status status = task_status::unborn;
    protocol::worker_id worker = 0;  // who runs it
    std::uint32_t awaited = 0;       // tasks that its join still waits for
    std::uint64_t counted = 0;       // a job: the step in which it was counted as sent
    std::uint32_t waiters = 0;       // the word of its completion (base::completion_word)
    friend bool operator==(const task_state&, const task_state&) = default;
};

// What an agent has begun in the handler that it is in and still has to tell: one bit per worker.
struct debts {
    bool bell = false;        // it deposited into the empty lobby
    std::uint64_t mail = 0;   // a letter is in, the mail bit not yet raised
    std::uint64_t wakes = 0;  // an answer is in, the thief not yet told
    friend bool operator==(const debts&, const debts&) = default;
};

// What a runtime's agents know of another one, in which a thread is worker 0, too (two_scenes.hpp).
struct elsewhere {
    // Of the second runtime.
    bool is_visited = false;
    bool sleeps_as_first = false;  // worker 0's thread sleeps as a worker of the first (whole_worker::sleeps_as is set),
    bool passed_on = false;        // and is to be told there
    bool done = false;             // the task of the first that is waited for
    // Of the first one.
    bool told = false;    // something came for the thread in the second
    bool owed = false;    // it is about to be told so
    bool begun = false;   // the task of the second that is waited for
    bits::word word = 0;  // waking bits of the thread in the second, while it sleeps here
    friend bool operator==(const elsewhere&, const elsewhere&) = default;
};

struct world {
    std::vector<member> workers;
    std::uint64_t lobby = 0;  // a set of requests: the simulation ends at 32 workers
    std::vector<task_id> jobs;
    std::uint64_t jobs_sent = 0;
    bool barrier_open = false;
    protocol::worker_id manager = 0;
    std::uint32_t size = 0;    // workers; behind them in the numbers come stand-ins
    std::uint32_t active = 0;  // workers below this number are not to be suspended
    std::uint32_t lent = 0;    // places: so many stand-ins work
    bool threads_started = false;
    bool cancelling = false;
    bool jobs_may_come = true;  // at all, in this program
    bool resizes = false;       // somebody does, in this program
    bool circulates = false;    // the protocol of circulating_worker.hpp
    bool takes_back = false;    // a worker without tasks may take back what it has sent

    std::vector<task_state> tasks;
    std::vector<bool> locks;  // is it taken?
    sim::elsewhere elsewhere;
    std::vector<debts> owed;         // by each agent
    std::uint64_t step = 0;          // how many were made
    std::uint64_t jobs_read_at = 0;  // step of the last look at jobs_sent: the manager's, or worker 0's as it goes on

    [[nodiscard]] bool is_to_go(protocol::worker_id w) const noexcept { return w < size ? w >= active : w - size >= lent; }
    friend bool operator==(const world&, const world&) = default;
};

constexpr std::uint64_t bit_of(std::uint32_t number) noexcept { return std::uint64_t{1} << number; }

}  // namespace parley::inline v0::sim
