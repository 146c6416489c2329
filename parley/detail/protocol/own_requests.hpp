// A worker's own requests, where they are, and how it gets them back. What it does with others' requests is
// in worker.hpp.
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

    // Gives up circulating: the request goes into the lobby, where every worker with a task to spare
    // sees it, whoever holds the travelling message (I9). A request that rests is deposited again:
    // whoever put it to rest may not have come to depositing it. One that is about to be answered is left.
    template <medium M>
    void rest(M& m) {
        gave_up_on_letter_ = true;  // whatever is seen: if the letter is here, this means nothing
        const request_state seen = m.state(own());
        if (seen == request_state::taken) return;
        if (seen == request_state::home) m.set_state(own(), request_state::resting);
        else if (seen == request_state::circulating && !claim_to_rest(m)) return;
        if (m.deposit(own())) ring(m);
    }

    // Takes the own requests back, wherever they are (I2, I7). If one was taken, what arrives stays in
    // the task channel until this worker runs dry or somebody else asks for it.
    template <medium M>
    void withdraw(M& m) {
        open_after_dry(m);
        for (std::uint32_t slot = 0; slot < how_.requests(); ++slot) withdraw(m, own(slot));
    }

    // May a worker without tasks pause before it asks again: is its request neither out nor about to be answered?
    template <medium M>
    bool may_pause(M& m) {
        return m.state(own()) == request_state::home;
    }
    // Is none of its requests?
    template <medium M>
    bool all_home(M& m) {
        for (std::uint32_t slot = 0; slot < how_.requests(); ++slot)
            if (m.state(own(slot)) != request_state::home) return false;
        return true;
    }

    // Has somebody taken its request, to answer it?
    template <medium M>
    [[nodiscard]] bool is_being_answered(M& m) const {
        return m.state(own()) == request_state::taken;
    }

    friend bool operator==(const own_requests&, const own_requests&) = default;

protected:
    // Of two requests the first is that of a worker without tasks; the second only prefetches (TH §7.2: else
    // a worker that never looks might hold two tasks while another one starves).
    [[nodiscard]] request_id own(std::uint32_t slot = 0) const noexcept { return request_of(self_, slot); }
    [[nodiscard]] request_id own_early() const noexcept { return own(how_.requests() - 1); }

    // Whoever moves it meanwhile takes it, or puts it to rest or sends it home because nobody could answer.
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

    // After depositing into an empty lobby, never before: who looks because of the bell must find
    // the request, or it lowers its bit and the sleeper starves.
    template <medium M>
    void ring(M& m) {
        const std::uint32_t seats = seats_of(m, workers_);
        for (worker_id w = 0; w < seats; ++w) m.raise(w, bits::lobby);
    }

    worker_id self_;
    std::uint32_t workers_;
    bool closed_while_dry_ = false;
    bool gave_up_on_letter_ = false;  // since the first request was sent the last time: its letter may be out still
    [[no_unique_address]] Requesting how_;
};

}  // namespace parley::inline v0::protocol
