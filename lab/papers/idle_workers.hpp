// Which workers are registered as idle, where requests circulate, and when the barrier is over.
#pragma once

#include <lab/papers/circulating.hpp>
#include <lab/papers/medium.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/idleness.hpp>
#include <parley/detail/protocol/request.hpp>

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
    [[nodiscard]] bool is_dedicated() const noexcept { return how_ == detection::by_dedicated_manager && is_manager(); }
    // Does it change the set itself? The others send messages to the manager.
    [[nodiscard]] bool changes_set() const noexcept { return how_ == detection::by_shared_counter || is_manager(); }

    // What a request that was answered tells the manager. The messages of one sender arrive in order, so this one
    // arrives before any request that the same worker sends later: figure 4.3.
    template <papers_medium M>
    void learn(M& m, const letter& update) {
        m.unregister_idle(thief_of(update.request));
        if (update.status == status::update_and_root) root_goes_on(m);
        m.land(update.request);
    }
    // Worker 0 itself, where it changes the set.
    template <papers_medium M>
    void root_goes_on(M& m) {
        m.unregister_idle(0);
        on_hold_ = false;
    }

    // The manager calls this when it has nothing to run and has read its messages. True: it must read them again, and
    // call `announce` if this is still true.
    //
    // Jobs from outside are no part of the papers. A worker that takes one tells the manager first, and counts it then:
    // 1. If all jobs that were sent have been counted, those messages are there.
    // 2. If the set is still full when they have been read, nobody has a job.
    template <papers_medium M>
    [[nodiscard]] bool all_seem_idle(M& m) const {
        return !on_hold_ && m.registered_idle() == workers_ && all_jobs_received(m);
    }
    // Releases worker 0. Nothing else is announced until worker 0 has said that it goes on (TH §4.2.1): the manager's
    // knowledge of worker 0 is out of date.
    template <papers_medium M>
    void announce(M& m) {
        if (m.registered_idle() != workers_) return;
        on_hold_ = true;
        m.raise_and_wake(0, bits::released);
    }

    // Worker 0 calls this, with a shared counter. The look after the jobs decides, as in all_seem_idle(). The look before
    // is cheap, and mostly enough.
    template <papers_medium M>
    [[nodiscard]] bool all_are_counted(M& m) const {
        return m.registered_idle() == workers_ && all_jobs_received(m) && m.registered_idle() == workers_;
    }

    friend constexpr bool operator==(const idle_workers&, const idle_workers&) = default;

private:
    // Received is read before sent: equal sums then mean that none was on its way in between. (Answers are not
    // counted here.)
    template <papers_medium M>
    [[nodiscard]] bool all_jobs_received(M& m) const {
        std::uint64_t received = 0;
        std::uint64_t sent = 0;
        const std::uint32_t seats = seats_of(m, workers_);
        for (worker_id w = 0; w < seats; ++w) {
            const published_state p = m.published(w);
            received += p.received;
            sent += p.sent;
        }
        return received == sent + m.jobs_sent();
    }

    worker_id self_;
    std::uint32_t workers_;
    detection how_;
    bool on_hold_ = false;
};

}  // namespace parley::inline v0::protocol
