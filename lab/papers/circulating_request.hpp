// A worker's own request, where requests circulate, and what it tells the manager. What it does with others' requests
// is in circulating_worker.hpp.
#pragma once

#include <lab/papers/circulating.hpp>
#include <lab/papers/idle_workers.hpp>
#include <lab/papers/medium.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/request.hpp>

#include <cstdint>
#include <optional>

namespace parley::inline v0::protocol {

class circulating_request {
public:
    circulating_request(worker_id self, std::uint32_t workers, circulating how) noexcept
        : self_(self), workers_(workers), how_(how), idle_(self, workers, how.detects) {}

    [[nodiscard]] worker_id id() const noexcept { return self_; }
    [[nodiscard]] static constexpr std::uint32_t requests() noexcept { return 2; }  // letters

    // May it pause before it asks again? "Provided it has been registered as idle" (TH §4.2.2).
    template <papers_medium M>
    bool may_pause(M&) const noexcept {
        return !is_out_ && is_registered_;
    }
    template <papers_medium M>
    bool all_home(M&) const noexcept {
        return !is_out_;
    }

    // The manager's, for its bell wakes it: see send().
    [[nodiscard]] bool sleeps_with_open_mailbox() const noexcept { return idle_.is_manager() && workers_ > 1; }

    friend bool operator==(const circulating_request&, const circulating_request&) = default;

protected:
    [[nodiscard]] request_id own(std::uint32_t slot) const noexcept { return request_of(self_, slot); }

    // The manager's bell comes after the letter.
    template <papers_medium M>
    bool send(M& m, worker_id to, const letter& t) {
        m.note(event::message);
        if (!m.send_request(to, t)) return false;
        if (how_.detects != detection::by_shared_counter && to == manager_of(workers_)) m.raise_and_wake(to, bits::message);
        return true;
    }

    template <papers_medium M>
    void register_itself(M& m) {
        if (is_registered_) return;
        m.register_idle(self_);
        is_registered_ = true;
    }

    // Has been everywhere, or brings tasks. That a worker is registered is what its request says, unless it has said
    // otherwise since.
    template <papers_medium M>
    void comes_home(M& m, const letter& t) {
        if (how_.loads_letters() && m.is_loaded(t.request)) {
            has_brought_ = true;  // and stays out until there is room
            return;
        }
        if (t.status == status::satisfied) {
            m.land(t.request);
            is_out_ = m.tasks_arrived(t.request);  // until it has received what it was satisfied with
            is_out_of_date_ = is_out_of_date_ && is_out_;
            return;
        }
        m.note(event::failed_request);
        is_registered_ = t.status == status::registered_idle && !is_out_of_date_;
        is_out_ = is_out_of_date_ = false;
        is_unanswered_ = true;
        m.land(t.request);
    }

    // The request itself is the message.
    template <papers_medium M>
    void report(M& m, letter t, status as) {
        t.status = as;
        m.note(event::message);
        m.send_message(manager_of(workers_), t);
        m.raise_and_wake(manager_of(workers_), bits::message);
    }
    // By the manager. One of its own may come when it has registered itself again: then its request says so still.
    template <papers_medium M>
    void read_messages(M& m) {
        while (const std::optional<letter> t = m.receive_message()) {
            idle_.learn(m, *t);
            if (thief_of(t->request) == self_) goes_on();
        }
    }

    // That this worker is not idle any more, by a letter of its own. False: none is at home, call again.
    template <papers_medium M>
    bool tell(M& m, status as) {
        if (idle_.changes_set()) {
            m.unregister_idle(self_);
        } else {
            const std::optional<request_id> r = free_letter(m);
            if (!r) return false;
            m.take_off(*r);
            report(m, letter{.request = *r}, as);
        }
        is_registered_ = false;
        return true;
    }
    template <papers_medium M>
    std::optional<request_id> free_letter(M& m) {
        for (std::uint32_t slot = 0; slot < requests(); ++slot)
            if (m.may_travel(own(slot)) && !(is_out_ && slot == slot_)) return own(slot);
        return std::nullopt;
    }

    // Not idle any more, as its own request still says if it is out.
    void goes_on() noexcept {
        is_registered_ = false;
        is_out_of_date_ = is_out_;
    }

    worker_id self_;
    std::uint32_t workers_;
    circulating how_;
    idle_workers idle_;
    std::uint32_t slot_ = 0;          // of the request that is out
    status asked_as_ = status::idle;  // the same
    bool is_out_ = false;
    bool is_out_of_date_ = false;  // out, and what it says of this worker is not so any more
    bool is_registered_ = false;   // as far as this worker knows, and nothing has been said since
    bool is_unanswered_ = false;   // the last request came home
    bool has_brought_ = false;     // out, with tasks, but in this worker's hand
};

}  // namespace parley::inline v0::protocol
