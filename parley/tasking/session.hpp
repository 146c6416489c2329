// The time between TASKING_INIT and TASKING_EXIT: the workers, the root task, and the memory of futures.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/runtime/depot.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/tasking/frame.hpp>
#include <parley/tasking/kept.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace parley::inline v0::tasking {

class session {
public:
    // One worker's own, beside what the runtime has. `futures` is memory in which only futures lie, so that a stale
    // handle finds a future there, too.
    struct alignas(base::cache_line) place {
        place(threading::depot& shared, std::uint64_t first_ticket) noexcept : futures(shared), next_ticket(first_ticket) {}
        threading::task_memory futures;
        std::uint64_t next_ticket;
        alignas(base::cache_line) kept_list kept;  // heap memory of its futures; other workers write here
    };

    // The calling thread becomes worker 0 until end(). Throws what pool's constructor throws, and if threads do not
    // start.
    session(const options& chosen, std::uint64_t number);
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session() = default;

    // The root task calls both, and end() last. An exception of a root's child that nobody has synced ends the program.
    void barrier();
    void end() noexcept;

    [[nodiscard]] bool has(const threading::worker& w) const noexcept { return &w.home() == &pool_; }
    [[nodiscard]] const threading::pool& pool() const noexcept { return pool_; }
    [[nodiscard]] place& at(const threading::worker& w) noexcept { return *places_[w.id()]; }

    // A ticket tells futures apart that lie in one place one after the other. It consists of a count, which may begin
    // anew, the session's number, and the worker's.
    [[nodiscard]] bool has_given(std::uint64_t ticket) const noexcept {
        return ((ticket >> worker_bits) & numbers) == number_;
    }
    static constexpr unsigned worker_bits = 13;
    static constexpr std::uint64_t numbers = (1U << 16) - 1;  // the numbers of sessions, from 1 on
    static constexpr std::uint64_t ticket_step = (numbers + 1) << worker_bits;
    static_assert(max_workers + threading::seats::most_visitors <= 1U << worker_bits);

private:
    const std::uint64_t number_;
    threading::depot depot_;
    std::vector<std::unique_ptr<place>> places_;
    threading::pool pool_;
    std::optional<task_frame> root_;
};

extern constinit sync::installed_once<session> the_session;

// Returns null outside of a session.
[[nodiscard]] inline session* current_session() noexcept { return the_session.get(); }

[[noreturn, gnu::cold]] void complain_of_place(const session* now, const char* what) noexcept;

// Returns the calling worker of the session, or complains about `what`.
[[nodiscard]] inline threading::worker& this_worker(const char* what) noexcept {
    threading::worker* const self = threading::current;
    const session* const now = current_session();
    if (self == nullptr || now == nullptr || !now->has(*self)) [[unlikely]]
        complain_of_place(now, what);
    return *self;
}

}  // namespace parley::inline v0::tasking
