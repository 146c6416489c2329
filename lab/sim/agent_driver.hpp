// What workers and outsiders have in common: running handlers by re-execution, making steps of
// their own, and sending jobs.
#pragma once

#include <lab/sim/chooser.hpp>
#include <lab/sim/scene.hpp>
#include <lab/sim/stepping.hpp>
#include <lab/sim/virtual_rules.hpp>
#include <parley/detail/protocol/jobs.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

namespace parley::inline v0::sim {

// What a step needs from whoever schedules it.
struct driving {
    std::uint32_t& budget;  // steps that may still be made
    chooser& decide;
    watcher& eyes;
    bool merges = false;  // free steps need no budget (see stepper::freedom)
};

template <class Medium, class Machine>
class agent_driver {
public:
    agent_driver(scene<Machine>& all, agent_id who, agent& state, const driving& d)
        : all_(all), shared_(all.shared), who_(who), state_(state), driving_(d) {}

protected:
    // A step of the driver itself, already made.
    void did(operation what, std::uint32_t about = 0, std::uint32_t detail = 0, outcome result = {}) {
        if (driving_.budget > 0) --driving_.budget;  // else the handler before used it up
        ++shared_.step;
        driving_.eyes.saw(who_, entry{what, about, detail, result});
    }

    // One that commutes with everything that others can do before it, if `is_free`.
    void did_freely(bool is_free, operation what, std::uint32_t about = 0, std::uint32_t detail = 0, outcome result = {}) {
        if (driving_.merges && is_free) ++driving_.budget;
        did(what, about, detail, result);
    }

    // Goes on with a handler. Nothing: it was left in the middle.
    template <class Handler>
    std::optional<bool> go_on(bool outside, const Handler& handler) {
        Medium medium(
            session{shared_, who_, outside, state_.log, driving_.budget, driving_.decide, driving_.eyes, driving_.merges});
        try {
            const bool result = handler(medium);
            state_.log.clear();
            shared_.owed[who_] = {};
            return result;
        } catch (const suspended&) {
            return std::nullopt;
        }
    }

    void raise_and_wake(protocol::worker_id w, bits::word b) {
        member& m = shared_.workers[w];
        const bool sleeps = (m.attention & asleep_mark) != 0;
        if (sleeps) m.woken = true;
        m.attention |= b;
        state_.tells_on =
            sleeps && w == 0 && shared_.elsewhere.is_visited && (!Medium::looks_at_relay_first() || state_.saw_relay);
        did(operation::raise_and_wake, w, b);
    }
    // The second half of worker::wake(). That the relay waits for whoever is telling makes it one step.
    void pass_on() {
        state_.tells_on = false;
        shared_.elsewhere.passed_on = shared_.elsewhere.sleeps_as_first;
        did(operation::pass_on, 0);
    }

    // What waits for the task that has ended sees it in the same step. True: somebody is to be woken.
    bool complete(task_id t) {
        const std::uint32_t word = std::exchange(shared_.tasks[t].waiters, parley::base::completion_word::done);
        if (word == parley::base::completion_word::nobody) return false;
        state_.woken = word;
        state_.next = 0;
        return true;
    }
    // pool::notify(woken), one of them at a time. False: that was the last one.
    bool wake_next() {
        const parley::base::completion_word::woken them(state_.woken);
        const auto next_from = [&](protocol::worker_id w) {
            while (w < all_.worker_count() && !them.has(waiter_number(w))) ++w;
            return w;
        };
        const protocol::worker_id w = next_from(state_.next);
        state_.next = next_from(w + 1);
        const bool more = state_.next < all_.worker_count();
        if (!more) state_.next = state_.woken = 0;
        raise_and_wake(w, bits::news);
        return more;
    }

    void start_threads() {
        shared_.threads_started = true;
        shared_.workers[0].attention &= ~bits::start;
        did(operation::start_threads);
    }

    // pool::submit in its steps. True: that was the last one.
    bool send_job() {
        switch (state_.at) {
            case point::counting_job:
                if (!shared_.threads_started && all_.worker_count() > 1) {
                    start_threads();
                    return false;
                }
                if (!shared_.jobs_may_come) throw std::logic_error("a job in a program that was taken for one without");
                ++shared_.jobs_sent;  // before it is sent: a task in a channel is always counted
                shared_.tasks[state_.job].status = task_status::queued;
                shared_.tasks[state_.job].counted = shared_.step + 1;
                state_.at = point::sending_job;
                did(operation::count_job, 0, state_.job);
                return false;
            case point::sending_job:
                shared_.jobs.push_back(state_.job);
                state_.at = point::relaying;
                did(operation::send_job, 0, state_.job);
                return false;
            default:
                return go_on(true,
                             [](Medium& m) {
                                 protocol::relay_jobs(m);
                                 return true;
                             })
                    .has_value();
        }
    }

    scene<Machine>& all_;
    world& shared_;
    const agent_id who_;
    agent& state_;
    const driving driving_;
};

// A thread that is no worker.
template <class Medium, class Machine>
class outsider_driver : agent_driver<Medium, Machine> {
    using base = agent_driver<Medium, Machine>;

public:
    outsider_driver(scene<Machine>& all, std::uint32_t number, const driving& d)
        : base(all, all.worker_count() + number, all.outsiders[number], d),
          me_(all.outsiders[number]),
          errands_(all.what->outsiders[number]) {}

    void step() {
        if (me_.at == point::outside) begin();
        else if (me_.at == point::cancelling) cancel_next();
        else if (me_.at == point::resizing) tell_next();
        else if (me_.at == point::waking_waiters) wake_next_waiter();
        else if (this->send_job()) end();
    }

private:
    void begin() {
        const errands::one& e = errands_.list[me_.errand];
        if (me_.waited < e.delay) {
            ++me_.waited;
            this->did(operation::work, 0, e.delay - me_.waited);
        } else if (e.what == errand::submit) {
            me_.job = e.job;
            me_.at = point::counting_job;
        } else if (e.what == errand::complete) {
            this->shared_.tasks[e.job].status = task_status::done;
            if (this->complete(e.job)) me_.at = point::waking_waiters;
            else end();
            this->did(operation::complete, e.job);
        } else if (e.what == errand::resize) {
            me_.at = point::resizing;
            me_.next = 1;
            this->shared_.active = e.workers;
            if (this->all_.worker_count() == 1) end();
            this->did(operation::resize, 0, e.workers);
        } else {
            // Only a root task that runs can be cancelled.
            const point at_0 = this->all_.workers[0].at;
            if (at_0 == point::outside || at_0 == point::finished || this->all_.workers[0].stack.empty()) {
                end();
                this->did(operation::look, 0, 0, encode(false));
                return;
            }
            me_.at = point::cancelling;
            me_.next = 0;
            this->shared_.cancelling = true;
        }
    }
    void cancel_next() {
        this->shared_.workers[me_.next].attention |= bits::cancel;
        const protocol::worker_id w = me_.next++;
        if (me_.next == this->all_.worker_count()) end();
        this->did(operation::raise, w, bits::cancel);
    }
    // First the number, then the news (resizing::resize).
    void tell_next() {
        const protocol::worker_id w = me_.next++;
        if (me_.next >= this->all_.worker_count()) end();
        this->raise_and_wake(w, bits::news);
    }
    void wake_next_waiter() {
        if (!this->wake_next()) end();
    }
    void end() {
        ++me_.errand;
        me_.waited = 0;
        me_.at = me_.errand == errands_.list.size() ? point::finished : point::outside;
    }

    outsider& me_;
    const errands& errands_;
};

}  // namespace parley::inline v0::sim
