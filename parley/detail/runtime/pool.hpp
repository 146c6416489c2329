// The core of a pool: the workers of one runtime, and the parts that it consists of. Any thread may touch the core. The
// first line of each part's header says who may touch that part.
#pragma once

#include <parley/detail/driver/deque.hpp>
#include <parley/detail/driver/task.hpp>
#include <parley/detail/policy/tuning.hpp>
#include <parley/detail/protocol/machine_parts.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/runtime/counters.hpp>
#include <parley/detail/runtime/exchange.hpp>
#include <parley/detail/runtime/kept_seats.hpp>
#include <parley/detail/runtime/resizing.hpp>
#include <parley/detail/runtime/roots.hpp>
#include <parley/detail/runtime/seats.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/oneshot.hpp>
#include <parley/options.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

namespace parley::inline v0::trace {
class recording;
}  // namespace parley::inline v0::trace

namespace parley::inline v0::threading {

// The waiter that a future or a scope wakes: a worker, by its number, or everybody.
inline constexpr std::uint32_t waiter_anybody = 1;
constexpr std::uint32_t waiter_number(protocol::worker_id id) noexcept { return id + 2; }
static_assert(current_group::nobody == 0);  // so the numbers of waiters begin after it

class complainer;
class crew;
class nearest_map;
struct setting;

class pool {
public:
    explicit pool(const options& chosen, const tuning& how = {});
    ~pool();  // drains: every task gets done and every request comes home; then the threads end
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;

    // --- what was chosen ---------------------------------------------------------------------------
    [[nodiscard]] const options& settings() const noexcept { return settings_; }
    [[nodiscard]] const tuning& tuned() const noexcept { return tuning_; }
    // Does each task run where it is made (options::serial)?
    [[nodiscard]] bool serial() const noexcept { return settings_.serial; }
    // options::queue_bound in blocks of the deque.
    [[nodiscard]] std::size_t queue_blocks() const noexcept {
        return (settings_.queue_bound + block::capacity - 1) / block::capacity;
    }
    // Are workers interrupted that do not look (options::watchdog)?
    [[nodiscard]] bool watches() const noexcept { return settings_.watchdog != watchdogs::off && size() > 1; }
    // Do requests circulate, without ever resting (protocol/machine.hpp)?
    [[nodiscard]] static constexpr bool circulates() noexcept { return protocol::requests_circulate; }

    // --- its workers -------------------------------------------------------------------------------
    // The pool's own workers have the numbers [0, size()). Worker 0 is a thread that came in. The others are the pool's
    // threads.
    [[nodiscard]] std::uint32_t size() const noexcept { return settings_.workers; }
    [[nodiscard]] bool is_visitor(protocol::worker_id id) const noexcept { return seats_.is_visitor(id); }
    [[nodiscard]] worker& at(protocol::worker_id id) noexcept { return seats_.at(id); }
    [[nodiscard]] const worker& at(protocol::worker_id id) const noexcept { return seats_.at(id); }
    // The number of workers that are to work (resizing.hpp).
    [[nodiscard]] std::uint32_t active() const noexcept { return resizing_.active(); }
    // The first function wakes the worker that a scope named, or everybody. The second one wakes all that wait for
    // something that is complete now.
    void notify(std::uint32_t waiter) noexcept;
    void notify(sync::completion::woken waiters) noexcept;

    // --- tasks from outside ------------------------------------------------------------------------
    // Starts the threads, once there is a first task for them. Throws usage_error in a child of fork().
    void start_threads();
    // Any thread may call this. Some worker runs the job. start_threads() must have been called before: it may fail,
    // and nothing may fail once a job is counted.
    void submit(job* j) noexcept;
    // Offers the waiting jobs to the workers once more. Called when a worker that would have taken them has gone, or
    // takes none for a while.
    void tell_of_jobs() noexcept;

    // --- the process that it is of -----------------------------------------------------------------
    [[nodiscard]] bool is_of_this_process() const noexcept;
    // Throws usage_error in a child of fork(), which does not have the threads of its parent.
    void require_this_process() const {
        if (!is_of_this_process()) [[unlikely]]
            throw_other_process();
    }
    [[noreturn, gnu::cold]] static void throw_other_process();
    // Says that the pool lives as long as the process. So threads may keep seats between two words (kept_seats.cpp),
    // and main() has to wait for the pool's tasks (end_of_process.cpp).
    void be_default() noexcept;

    // --- for people --------------------------------------------------------------------------------
    void dump_state(std::FILE* out) const;
    // Dumps all pools of the process.
    static void dump_all(std::FILE* out);
    // Returns the object that says which waits last long; null without options::complain_after (complaints.hpp).
    [[nodiscard]] complainer* who_complains() const noexcept { return complainer_.get(); }
    // The times of each worker up to now. Empty without options::profile.
    [[nodiscard]] std::vector<worker_times> times() const;
    // Writes the times to standard error if PARLEY_PROFILE=1. Called at the end of the pool.
    void show_times() const noexcept;
    // Null if nothing is recorded.
    [[nodiscard]] trace::recording* recording() const noexcept { return recording_.get(); }

    // --- what it consists of -----------------------------------------------------------------------
    [[nodiscard]] threading::exchange& exchange() noexcept { return exchange_; }
    [[nodiscard]] const threading::exchange& exchange() const noexcept { return exchange_; }
    [[nodiscard]] threading::seats& seats() noexcept { return seats_; }
    [[nodiscard]] const threading::seats& seats() const noexcept { return seats_; }
    [[nodiscard]] threading::kept_seats& kept() noexcept { return kept_; }
    [[nodiscard]] const threading::kept_seats& kept() const noexcept { return kept_; }
    [[nodiscard]] threading::roots& roots() noexcept { return roots_; }
    [[nodiscard]] threading::resizing& resizing() noexcept { return resizing_; }
    [[nodiscard]] threading::crew& crew() const noexcept { return *crew_; }
    // The task memory of the workers comes from here.
    [[nodiscard]] depot& cells() const noexcept { return *depot_; }
    // Null if all workers are equally near.
    [[nodiscard]] const nearest_map* nearest() const noexcept { return nearest_.get(); }

private:
    explicit pool(setting&& resolved);

    // While such an object lives, dump_all() shows the pool.
    class shown_in_dumps {
    public:
        explicit shown_in_dumps(const pool& p);
        ~shown_in_dumps();
        shown_in_dumps(const shown_in_dumps&) = delete;
        shown_in_dumps& operator=(const shown_in_dumps&) = delete;

    private:
        const pool& pool_;
    };

    const options settings_;
    const tuning tuning_;
    const bool shows_times_;
    const std::uint64_t forks_;                          // so often had the process been forked when this pool was made
    std::unique_ptr<depot, abandons_depot> depot_;       // futures that outlive the runtime lie in its cells
    const std::unique_ptr<trace::recording> recording_;  // it outlives the workers, which write there
    const std::unique_ptr<const nearest_map> nearest_;
    threading::exchange exchange_;
    threading::roots roots_;
    threading::resizing resizing_;
    threading::kept_seats kept_;
    threading::seats seats_;
    const std::unique_ptr<threading::crew> crew_;
    std::optional<shown_in_dumps> in_dumps_;  // the pool is shown only while its members exist
    std::unique_ptr<complainer> complainer_;  // null without options::complain_after
};

// Thieves ask by a request in the lobby, and so by the lobby bit. Others ask by a count, or by a word at this seat.
inline bool worker::is_asked_for_what_is_left() const noexcept {
    return (shared_.attention.get() & protocol::bits::lobby) != 0 || home_.kept().are_wanted() || seat_.must_hand_on.get();
}

inline bool worker::is_to_go() const noexcept { return id_ >= home_.active() && must_go(); }

template <bool OfHigh>
inline bool worker::is_full() const noexcept {
    const deque& where = OfHigh ? own_.high : own_.tasks;
    if (!where.at_end_of_block()) [[likely]]
        return false;
    return where.full(home_.queue_blocks());
}

}  // namespace parley::inline v0::threading
