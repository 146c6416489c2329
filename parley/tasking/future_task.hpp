// A future of FUTURE is one cell, which is first a task with its arguments, then the place of its result. TH §4.3: the
// future is a channel for one message; §4.4.2: channels are used again instead of freed.
//
// Only futures use the memory of such cells. The ticket of a cell says which future it is at the time. So a thread that
// awaits one again finds another ticket, whatever has become of the cell. Any task may await a future, once:
// - The worker that has it as its newest task takes it back and calls it: nothing is sent. (TH §4.4 leaves that for later.)
//   The ticket becomes `called`.
// - Other workers change the ticket to `awaited` by a compare-and-swap, which one of two wins. Then they wait until it is
//   complete.
//
// Two tasks that await one future at a time are an error. If each of them does one of the two, the first one finds that
// somebody has announced itself. Or the second one, which looks at the ticket while it spins, finds `called`. This
// helps to find mistakes but is no promise: if the cell is a new future's by then, the mistake may go unnoticed.
#pragma once

#include <parley/detail/driver/task.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/claim.hpp>
#include <parley/detail/sync/oneshot.hpp>
#include <parley/tasking/kept.hpp>
#include <parley/tasking/tasking_calls.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>

namespace parley::inline v0::tasking {

enum class ticket : std::uint64_t { none, called, awaited };  // and the tickets that session::place has given

class future_task : public threading::task {
public:
    // Makes a future for a result of `result_bytes` bytes. `large`: arguments or result do not fit here.
    future_task(parley_tasking_future_call c, ticket t, std::size_t result_bytes, kept* large) noexcept
        : task{&run_here},
          call_(c),
          ticket_(t),
          result_bytes_(static_cast<std::uint8_t>(result_bytes)),
          is_large_(large != nullptr) {
        if (is_large_) ::new (room_.data()) kept*(large);
    }

    [[nodiscard]] void* arguments() noexcept {
        if (is_large_) [[unlikely]]
            return kept_here()->data();
        return room_.data();
    }
    [[nodiscard]] std::size_t result_bytes() noexcept {
        if (is_large_) [[unlikely]]
            return kept_here()->result_bytes;
        return result_bytes_;
    }

    // Takes the future for the caller, or complains. `t` is the handle's ticket.
    void require(ticket t) const noexcept;
    // Writes the result to `result`, or throws the task's exception. Called once, after require(). Then the cell may be
    // used again.
    void await(threading::worker& self, ticket t, void* result);

private:
    static void run_here(threading::task* t, threading::worker& self) noexcept;

    [[nodiscard]] kept* kept_here() noexcept { return *reinterpret_cast<kept**>(room_.data()); }
    [[nodiscard]] bool take_back(threading::worker& self) noexcept;
    void call_here(threading::worker& self, void* result);
    [[gnu::noinline]] void await_elsewhere(threading::worker& self, ticket t, void* result);
    void wait_for_it(threading::worker& self, ticket t) noexcept;
    [[nodiscard]] sync::outcome fill(threading::worker& self) noexcept;
    void keep(const threading::worker& self, std::exception_ptr failure) noexcept;
    void free(threading::worker& self) noexcept;

    parley_tasking_future_call call_;
    sync::claim<ticket> ticket_;
    sync::completion done_;
    sync::outcome how_ = sync::outcome::pending;  // ordered by done_
    const std::uint8_t result_bytes_;
    const bool is_large_;  // room_ holds a pointer to a kept object; it also does after an exception
    alignas(PARLEY_TASKING_FUTURE_ALIGNMENT) std::array<std::byte, PARLEY_TASKING_FUTURE_ROOM> room_;
};

}  // namespace parley::inline v0::tasking
