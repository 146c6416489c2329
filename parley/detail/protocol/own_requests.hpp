// A worker's own requests: where they are, and how the worker gets them back. How it treats others' requests is in
// worker.hpp.
#pragma once

#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/requesting.hpp>

#include <cstdint>

namespace parley::inline v0::protocol {

template <class Requesting>
class own_requests {
public:
    own_requests(worker_id self, std::uint32_t workers, Requesting how) noexcept
        : self_(self), workers_(workers), how_(how) {}

    [[nodiscard]] worker_id id() const noexcept { return self_; }
    [[nodiscard]] std::uint32_t requests() const noexcept { return how_.requests(); }

    // Stops circulating: deposits the request in the lobby, where every worker with a task to spare sees it. Somebody
    // may still hold its letter (I9). A resting request is deposited again, since a holder that put it to rest may not
    // have deposited it yet. A request that was taken stays as it is.
    template <medium M>
    void rest(M& m) {
        gave_up_on_letter_ = true;  // if the letter is home, the flag has no effect
        const request_state seen = m.state(own());
        if (seen == request_state::taken) return;
        if (seen == request_state::home) m.set_state(own(), request_state::resting);
        else if (seen == request_state::circulating && !claim_to_rest(m)) return;
        if (m.deposit(own())) ring(m);
    }

    // Takes the own requests back, wherever they are (I2, I7). The answer to a request that was taken stays in the task
    // channel, until this worker runs dry or somebody asks it.
    template <medium M>
    void withdraw(M& m) {
        open_after_dry(m);
        for (std::uint32_t slot = 0; slot < how_.requests(); ++slot) withdraw(m, own(slot));
    }

    // May a worker without tasks pause before it asks again? Only if its first request is home.
    template <medium M>
    bool may_pause(M& m) {
        return m.state(own()) == request_state::home;
    }
    // Are all own requests home?
    template <medium M>
    bool all_home(M& m) {
        for (std::uint32_t slot = 0; slot < how_.requests(); ++slot)
            if (m.state(own(slot)) != request_state::home) return false;
        return true;
    }

    // Has somebody taken the first request, in order to answer it?
    template <medium M>
    [[nodiscard]] bool is_being_answered(M& m) const {
        return m.state(own()) == request_state::taken;
    }

    friend bool operator==(const own_requests&, const own_requests&) = default;

protected:
    // The first request is that of a worker without tasks. The second one only prefetches (TH §7.2). With two urgent
    // requests, a worker that never looks might hold two tasks while another worker starves (I9).
    [[nodiscard]] request_id own(std::uint32_t slot = 0) const noexcept { return request_of(self_, slot); }
    [[nodiscard]] request_id own_early() const noexcept { return own(how_.requests() - 1); }

    // Lets a circulating request rest. False: a holder has taken it and answers it. A holder may also have put it to
    // rest or sent it home, because nobody could answer.
    template <medium M>
    bool claim_to_rest(M& m) {
        if (m.claim(own(), request_state::circulating, request_state::resting)) return true;
        const request_state seen = m.state(own());
        if (seen == request_state::home) m.set_state(own(), request_state::resting);
        return seen != request_state::taken;
    }

    template <medium M>
    void withdraw(M& m, request_id r) {
        for (;;) {
            const request_state seen = m.state(r);
            if (seen == request_state::home || seen == request_state::taken) return;
            if (m.claim(r, seen, request_state::home)) return;
        }
    }

    template <medium M>
    bool anything_arrived(M& m) {
        for (std::uint32_t slot = 0; slot < how_.requests(); ++slot)
            if (m.tasks_arrived(own(slot))) return true;
        return false;
    }

    template <medium M>
    void open_after_dry(M& m) {
        if (!closed_while_dry_) return;
        closed_while_dry_ = false;
        m.open_mailbox();
    }

    // Raises the lobby bit of every seat, after a deposit into the empty lobby (I9). The order matters: a worker that
    // sees the bit must find the request. Otherwise it lowers its bit, and the thief starves.
    template <medium M>
    void ring(M& m) {
        const std::uint32_t seats = seats_of(m, workers_);
        for (worker_id w = 0; w < seats; ++w) m.raise(w, bits::lobby);
    }

    worker_id self_;
    std::uint32_t workers_;
    bool closed_while_dry_ = false;
    bool gave_up_on_letter_ = false;  // the first request has rested since it was sent; its letter may be out
    [[no_unique_address]] Requesting how_;
};

}  // namespace parley::inline v0::protocol
