// Which workers are registered as idle, where requests circulate, and when the barrier is over.
#pragma once

#include <parley/protocol/bits.hpp>
#include <parley/protocol/circulating.hpp>
#include <parley/protocol/idleness.hpp>
#include <parley/protocol/medium.hpp>
#include <parley/protocol/request.hpp>

#include <cstdint>

namespace parley::inline v0::protocol {

// A worker's view of the set of idle workers, which is in its medium: the manager's own, or everybody's.
class idle_workers {
public:
    idle_workers(worker_id self, std::uint32_t workers, detection how) noexcept
        : self_(self), workers_(workers), how_(how) {}

    [[nodiscard]] bool is_manager() const noexcept {
        return how_ != detection::by_shared_counter && self_ == manager_of(workers_);
    }
    [[nodiscard]] bool is_dedicated() const noexcept {
        return how_ == detection::by_dedicated_manager && is_manager();
    }
    // Does it change the set itself? The others send messages to the manager.
    [[nodiscard]] bool changes_set() const noexcept {
        return how_ == detection::by_shared_counter || is_manager();
    }

    // What a request that was answered tells the manager. The messages of one sender arrive in order, so this one
    // arrives before any request that the same worker sends later: figure 4.3.
    template <medium M>
    void learn(M& m, const travel& update) {
        m.unregister_idle(thief_of(update.request));
        if (update.status == status::update_and_root) root_goes_on(m);
        m.land(update.request);
    }
    // Worker 0 itself, where it changes the set.
    template <medium M>
    void root_goes_on(M& m) {
        m.unregister_idle(0);
        on_hold_ = false;
    }

    // By the manager, when it has nothing to run, after each look into its mailbox. `is_empty`: nothing was in it.
    //
    // Jobs from outside are no part of the papers. Whoever takes one tells the manager first and counts it then: if
    // all that were sent have been counted, those messages are in the mailbox; and if the set is still full when
    // everything that can be in a mailbox has been received, nobody has a job.
    //
    // Then nothing is announced until worker 0 has said that it goes on (TH §4.2.1): what is known of that worker
    // is out of date.
    template <medium M>
    void announce_if_all_are_idle(M& m, bool is_empty) {
        if (on_hold_ || m.registered_idle() != workers_) {
            letters_to_see_ = not_counting;
            return;
        }
        if (letters_to_see_ == not_counting) {
            if (all_jobs_received(m)) letters_to_see_ = most_requests * workers_;
            return;
        }
        letters_to_see_ = is_empty ? 0 : letters_to_see_ - 1;
        if (letters_to_see_ > 0) return;
        letters_to_see_ = not_counting;
        on_hold_ = true;
        m.raise_and_wake(0, bits::released);
    }
    [[nodiscard]] bool about_to_announce() const noexcept { return letters_to_see_ != not_counting; }

    // By worker 0, with a shared counter: the counter is looked at after the jobs, for the same reason.
    template <medium M>
    [[nodiscard]] bool all_are_counted(M& m) const {
        return all_jobs_received(m) && m.registered_idle() == workers_;
    }

    friend constexpr bool operator==(const idle_workers&, const idle_workers&) = default;

private:
    // Received is read before sent: equal sums then mean that none was on its way in between. (Answers are not
    // counted here.)
    template <medium M>
    [[nodiscard]] bool all_jobs_received(M& m) const {
        std::uint64_t received = 0;
        std::uint64_t sent = 0;
        for (worker_id w = 0; w < workers_; ++w) {
            const published_state p = m.published(w);
            received += p.received;
            sent += p.sent;
        }
        return received == sent + m.jobs_sent();
    }

    static constexpr std::uint32_t not_counting = ~std::uint32_t{0};

    worker_id self_;
    std::uint32_t workers_;
    detection how_;
    bool on_hold_ = false;
    std::uint32_t letters_to_see_ = not_counting;  // before it may be announced
};

}  // namespace parley::inline v0::protocol
