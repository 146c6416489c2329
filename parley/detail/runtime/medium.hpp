// Threads and channels as a medium of the protocol: one worker's view of its pool.
#pragma once

#include <parley/detail/base/contract.hpp>
#include <parley/detail/policy/strategies.hpp>
#include <parley/detail/protocol/machine.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/runtime/deadline.hpp>
#include <parley/detail/runtime/handing_on.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/watchdog.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/trace/recorder.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>

namespace parley::inline v0::threading {

// The part of a medium that threads outside of the pool's workers may use: what belongs to no worker.
class outside_medium {
public:
    explicit outside_medium(pool& p) noexcept : pool_(p) {}

    bool deposit(protocol::request_id r) noexcept { return pool_.exchange().lobby.deposit(r); }
    std::optional<protocol::request_id> take_resting() noexcept { return pool_.exchange().lobby.take(0); }
    protocol::request_state state(protocol::request_id r) const noexcept { return at(r).state.get(); }
    void set_state(protocol::request_id r, protocol::request_state s) noexcept { at(r).state.set(s); }
    bool claim(protocol::request_id r, protocol::request_state from, protocol::request_state to) noexcept {
        return at(r).state.move(from, to);
    }
    void raise(protocol::worker_id w, protocol::bits::word b) noexcept { pool_.at(w).shared_part().attention.raise(b); }
    void raise_and_wake(protocol::worker_id w, protocol::bits::word b) noexcept { pool_.at(w).raise_and_wake(b); }
    void raise_all(protocol::bits::word b) noexcept {
        for (protocol::worker_id w = 0; w < seats(); ++w) pool_.at(w).raise_and_wake_if(protocol::bits::wants_jobs, b);
    }
    // The number of workers and visitors. Visitors come after the workers in the numbers, and are nobody's victims.
    std::uint32_t seats() const noexcept { return pool_.seats().count(); }
    bool lobby_empty() const noexcept { return pool_.exchange().lobby.empty(); }
    bool jobs_waiting() const noexcept { return !pool_.exchange().jobs.empty(); }
    std::optional<job*> draw_job() noexcept {
        job* const j = pool_.exchange().jobs.receive();
        return j == nullptr ? std::nullopt : std::optional(j);
    }
    void put_back_job(job* j) noexcept { pool_.exchange().jobs.put_back(j); }
    void send_job(protocol::request_id r, job* j) noexcept {
        at(r).victim = protocol::no_worker;
        at(r).high = false;
        at(r).range = 0;
        const std::uint64_t region = isolation_of(j);
        at(r).isolated = region != 0;
        if (region != 0) region_of(r) = region;
        at(r).answer.send(j);
    }

protected:
    own_request& at(protocol::request_id r) const noexcept {
        worker& thief = pool_.at(protocol::thief_of(r));
        return thief.request_part(protocol::slot_of(r));
    }
    std::uint64_t& region_of(protocol::request_id r) const noexcept {
        own_request& second = pool_.at(protocol::thief_of(r)).request_part(1);
        return static_cast<second_request&>(second).regions[protocol::slot_of(r)];
    }
    pool& pool_;
};

// The medium of a worker. While it lives, no signal handler uses another medium of this worker.
class thread_medium : public outside_medium, public protocol::part_of_medium<thread_medium> {
public:
    explicit thread_medium(worker& self) noexcept
        : outside_medium(self.home()), self_(self), meanwhile_(self.own_part().signals) {}

    // Mailboxes. The mail bit is raised after the letter is in. So the worker that lowers the bit finds the letter.
    bool send_request(protocol::worker_id to, const protocol::letter& t) noexcept {
        const trace::doing_meanwhile here(self_.own_part().record, trace::activity::moving_requests);
        letter_node& l = at(t.request).travelling;
        l.contents = t;
        shared_line& victim = pool_.at(to).shared_part();
        if (!victim.letters.send(&l)) return false;
        victim.attention.raise(protocol::bits::mail);
        if (pool_.tuned().interrupts_for_every_request) [[unlikely]]
            interrupt(self_, pool_.at(to));
        return true;
    }
    std::optional<protocol::letter> receive_request() noexcept {
        const letter_node* l = self_.shared_part().letters.receive();
        if (l == nullptr) return std::nullopt;
        return l->contents;
    }
    void open_mailbox() noexcept { self_.shared_part().letters.open(); }
    void close_mailbox() noexcept { self_.shared_part().letters.close(); }

    // Requests.
    //
    // Other workers use the cache line of `wish`, too. So it is written only if it changes, and not at each turn of a
    // wait.
    void set_wish(protocol::request_id r, protocol::amount a) noexcept {
        if (at(r).wish != a) at(r).wish = a;
    }
    protocol::amount wish(protocol::request_id r) const noexcept { return at(r).wish; }
    bool may_travel(protocol::request_id r) const noexcept { return at(r).letter_away.is_down_acquire(); }
    void take_off(protocol::request_id r) noexcept { (void)at(r).letter_away.put_up(); }
    void land(protocol::request_id r) noexcept { at(r).letter_away.take_down(); }

    std::optional<protocol::request_id> take_resting() noexcept {
        return pool_.exchange().lobby.take(protocol::request_of(self_.id() + 1));
    }
    // The worker weighs what it has (driver/weighing.hpp).
    std::optional<protocol::asker> take_asker(std::uint32_t range) noexcept;
    [[nodiscard]] bool keeps_back(protocol::worker_id thief) noexcept;
    [[nodiscard]] bool leaves_at_rest() noexcept;
    // Spreading (protocol/spreading.hpp).
    void divides(protocol::request_id r, const protocol::division& d) noexcept {
        at(r).range = static_cast<std::uint16_t>(d.of_thief);
        divided_ = d;
    }
    std::uint32_t range_of(protocol::request_id r) const noexcept { return at(r).range; }
    [[nodiscard]] bool many_rest() const noexcept;
    [[nodiscard]] bool comes_from_loop() const noexcept;
    [[nodiscard]] bool nearly_all_rest() const noexcept;

    // Attention.
    protocol::bits::word attention() const noexcept { return self_.shared_part().attention.get(); }
    void lower(protocol::bits::word b) noexcept {
        self_.shared_part().attention.lower(b);
        if ((b & protocol::bits::news) != 0) ++self_.own_part().heard.news;
        if ((b & (protocol::bits::waking | protocol::bits::jobs)) != 0) ++self_.own_part().heard.waking;
    }
    // The worker is noted before it is marked, and until the mark is off (exchange::asleep).
    bool prepare_to_sleep() noexcept {
        (void)pool_.exchange().asleep.deposit(protocol::request_of(self_.id()));
        if (parker().prepare()) return true;
        (void)pool_.exchange().asleep.take_out(protocol::request_of(self_.id()));
        return false;
    }
    void cancel_sleep() noexcept {
        parker().cancel();
        (void)pool_.exchange().asleep.take_out(protocol::request_of(self_.id()));
    }
    // The functions below that sleep end at that time, too, as if the worker had been woken.
    void sleep_no_longer_than(deadline last) noexcept { last_ = last; }
    void sleep() noexcept { commit(parker()); }
    // Sleeps until the worker is woken or there are jobs. The worker has looked for jobs after it was marked asleep.
    void sleep_until_jobs() noexcept {
        // `jobs` and `wants_jobs` lie in one word, so their order is known. If `jobs` was raised before, it is seen
        // here. If it is raised later, it wakes.
        self_.shared_part().attention.raise(protocol::bits::wants_jobs);
        commit(sync::parker(self_.shared_part().attention, protocol::bits::waking | protocol::bits::jobs));
        self_.shared_part().attention.lower(protocol::bits::wants_jobs);
    }
    // True: the worker was woken. False: it is still marked asleep.
    [[nodiscard]] bool sleep_until_jobs_up_to(std::chrono::nanoseconds longest) noexcept {
        self_.shared_part().attention.raise(protocol::bits::wants_jobs);
        const bool woken =
            wait_for(sync::parker(self_.shared_part().attention, protocol::bits::waking | protocol::bits::jobs), longest);
        self_.shared_part().attention.lower(protocol::bits::wants_jobs);
        return woken;
    }
    void sleep_for(std::chrono::nanoseconds longest) noexcept { parker().commit_for(std::min(longest, left())); }
    // True: the worker was woken. False: it is still marked asleep.
    [[nodiscard]] bool sleep_up_to(std::chrono::nanoseconds longest) noexcept { return wait_for(parker(), longest); }

    // Tasks.
    //
    // A task in hand counts as well. If there is none at all, what is left of a running loop counts as one.
    std::size_t spare() const noexcept {
        const std::size_t queued = self_.queued() + in_hand();
        return queued == 0 && self_.own_part().loops.to_split() != nullptr ? 1 : queued;
    }
    bool has_tasks() const noexcept { return self_.queued() + in_hand() != 0; }
    std::uint64_t tasks_run() const noexcept { return self_.tasks_run(); }
    void send_tasks(protocol::request_id r, protocol::amount a) noexcept {
        const giving here(self_, r);
        send(r, oldest(r, a));
    }
    bool tasks_arrived(protocol::request_id r) const noexcept { return at(r).answer.peek(); }
    // Has an answer come whose tasks were made inside an isolation?
    bool isolated_tasks_arrived(protocol::request_id r) const noexcept { return tasks_arrived(r) && at(r).isolated; }
    protocol::worker_id victim_of(protocol::request_id r) const noexcept { return at(r).victim; }
    bool take_answer(protocol::request_id r) noexcept {
        taken_ = at(r).answer.take();
        return taken_ != nullptr;
    }
    // take_answer() comes before.
    bool receive_tasks(protocol::request_id r) {
        task* const message = std::exchange(taken_, nullptr);
        if (!has_come(message)) return false;
        const getting here(self_, r, at(r).victim == protocol::no_worker);
        take_in({message, at(r).high, region_come_with(r)});
        return true;
    }
    // Does an answer still lie where this worker has sent one of its last? Forgets those before it.
    bool may_take_back() noexcept {
        return self_.own_part().sent.forget_until([this](protocol::request_id r) { return at(r).answer.peek(); });
    }
    // Takes back one of the answers that this worker has sent last, if its thief has not taken it. Returns its request, and
    // the tasks are in the deque, which was empty. They may run where tasks of others may, on whatever stack they were made.
    // Another worker may have sent an answer at that address since. Then they are that one's tasks.
    std::optional<protocol::request_id> take_back() {
        while (self_.own_part().sent.any()) {
            const auto [r, message] = self_.own_part().sent.take_oldest();
            task* const mine = at(r).answer.take_back(message);
            if (mine == nullptr) continue;
            const getting here(self_, r);
            take_in({mine, at(r).high, region_come_with(r)});
            return r;
        }
        return std::nullopt;
    }
    bool jobs_waiting() const noexcept { return self_.takes_jobs() && outside_medium::jobs_waiting(); }
    // A job may be older than what is in the deque, and that may wait for the job. So it is not put on top of that,
    // which would break the order that suspended_waits.hpp rests on. It is kept in hand until this worker waits.
    bool take_job() noexcept {
        return take_job_if([](const job&) { return true; });
    }
    // A job that was made in an isolated region begins before anything else. So it may not lie below the task that runs,
    // which may block on what the region keeps.
    bool take_job_in_task() noexcept {
        return take_job_if([](const job& j) { return isolation_of(&j) == 0; });
    }

    // Termination.
    void publish_idle(bool idle) noexcept { self_.shown_part().standing.idle.set(idle); }
    void publish_sent() noexcept { self_.shown_part().standing.sent.set(self_.shown_part().standing.sent.own() + 1); }
    void publish_received() noexcept {
        self_.shown_part().standing.received.set(self_.shown_part().standing.received.own() + 1);
    }
    protocol::published_state published(protocol::worker_id w) const noexcept {
        worker& other = pool_.at(w);
        const standing_word& s = other.shown_part().standing;
        const bool is_idle = s.idle.get() || (other.seat_part().is_kept.get() && pool_.kept().is_left_with_nothing(other));
        return {is_idle, s.sent.get(), s.received.get()};
    }
    std::uint64_t jobs_sent() const noexcept { return pool_.exchange().jobs_sent.get(); }
    void set_barrier_open(bool open) noexcept { pool_.exchange().barrier_open.set(open); }
    bool barrier_open() const noexcept { return pool_.exchange().barrier_open.get(); }
    void set_manager(protocol::worker_id w) noexcept { pool_.exchange().manager.set(w); }
    protocol::worker_id manager() const noexcept { return pool_.exchange().manager.get(); }

    void note(protocol::event e) noexcept {
        switch (e) {
            case protocol::event::message: self_.own_part().count.messages.add(); break;
            case protocol::event::failed_request: self_.own_part().count.failed.add(); break;
            case protocol::event::steal: self_.own_part().count.steals.add(); break;
            case protocol::event::sleep: self_.own_part().count.sleeps.add(); break;
        }
    }

protected:
    friend protocol::part_of_medium<thread_medium>;

    // Times and timelines show tasks on their way. `r` names the arrow between giver and receiver.
    struct giving {
        giving(const worker& self, protocol::request_id r) noexcept
            : shown(self.own_part().record, trace::happening::giving_begins, trace::happening::giving_ends, r),
              timed(self.own_part().record, trace::activity::moving_tasks) {}
        trace::noting shown;
        trace::doing_meanwhile timed;
    };
    struct getting {
        getting(const worker& self, protocol::request_id r, bool is_job = false) noexcept
            : shown(self.own_part().record, is_job ? trace::happening::job_begins : trace::happening::getting_begins,
                    is_job ? trace::happening::job_ends : trace::happening::getting_ends, r),
              timed(self.own_part().record, trace::activity::moving_tasks) {}
        trace::noting shown;
        trace::doing_meanwhile timed;
    };

    // A message that leaves or arrives, and what its receiver has to know of it.
    struct parcel {
        task* tasks;
        bool high;
        std::uint64_t region;  // the number of the isolation that they were made in, or 0
    };
    [[nodiscard]] std::uint64_t region_come_with(protocol::request_id r) const noexcept {
        return at(r).isolated ? region_of(r) : 0;
    }

    void send(protocol::request_id r, parcel p) noexcept {
        at(r).victim = static_cast<std::uint16_t>(self_.id());
        at(r).high = p.high;
        at(r).isolated = p.region != 0;
        if (p.region != 0) region_of(r) = p.region;
        self_.own_part().sent.add({r, p.tasks});
        at(r).answer.send(p.tasks);
    }
    // All tasks of a message were made inside the isolation that runs here, or none was. deque::take_half() sees to
    // that, because the tasks that were made outside are held.
    parcel oldest(protocol::request_id r, protocol::amount a) noexcept {
        if (self_.own_part().in_hand.isolated_message != nullptr) return message_in_hand();
        const bool high = !self_.own_part().high.empty();
        if (!high && self_.own_part().in_hand.job != nullptr)
            return {std::exchange(self_.own_part().in_hand.job, nullptr), false, 0};
        deque& from = high ? self_.own_part().high : self_.own_part().tasks;
        if (from.empty()) return part_of_loop(r);
        const std::uint64_t region = self_.own_part().region_of(from);
        task* const given = a == protocol::amount::half ? half(from) : from.take_oldest();
        return {given, high, region};
    }
    // Returns the message as it came.
    parcel message_in_hand() noexcept {
        return {std::exchange(self_.own_part().in_hand.isolated_message, nullptr),
                self_.own_part().in_hand.isolated_message_is_high, self_.own_part().in_hand.isolated_in};
    }
    // Isolated tasks stay in hand. They begin within an isolation, and before anything else (isolation.hpp).
    void take_in(parcel p) {
        if (goes_past_ != nullptr) {
            *goes_past_ = p;
            return;
        }
        if (p.region != 0) {
            if (self_.own_part().in_hand.isolated_message != nullptr)
                base::contract_failed("a second message came before the first was begun", __FILE__, __LINE__);
            self_.own_part().in_hand.isolated_message_is_high = p.high;
            self_.own_part().in_hand.isolated_in = p.region;
            self_.own_part().in_hand.isolated_message = p.tasks;
            return;
        }
        deque& into = p.high ? self_.own_part().high : self_.own_part().tasks;
        if (p.high) self_.own_part().looks.now = true;
        into.receive(p.tasks);
        if (self_.own_part().limits.isolated) into.begin_inside();  // what has come was made outside
        self_.hold_all();                                           // they come from elsewhere (suspended_waits.hpp)
    }
    // Counts those that ask for a part: the thief of `r`, which is answered now, others that rest, and letters in this
    // mailbox. If `r` was found by this worker's range, only those that rest there count, and the medium has counted them.
    // Otherwise a request that was withdrawn, or answered out of a mailbox, may still be in the lobby. That of this worker
    // often is, and so is `r`. `weighs`: nothing is kept for sleepers, and short loops are divided among few.
    protocol::cut cut_of(const splittable& s, protocol::request_id r, bool weighs) const noexcept;
    // Returns the outermost loop. If that one is not worth giving, returns a loop inside of it that is
    // (driver/weighing.hpp).
    splittable& loop_to_split() noexcept {
        const running_loops& loops = self_.own_part().loops;
        splittable* const outermost = loops.to_split();
        if (outermost == nullptr) base::contract_failed("spare() promised a task", __FILE__, __LINE__);
        if (outermost->inner == nullptr) return *outermost;
        const auto least = self_.own_part().weighs.weight.worth_splitting();
        splittable* const is_worth_it = loops.to_split(least, weighing::clock::now());
        return is_worth_it != nullptr ? *is_worth_it : *outermost;
    }

    [[nodiscard]] std::size_t in_hand() const noexcept {
        const tasks_in_hand& here = self_.own_part().in_hand;
        return static_cast<std::size_t>(here.job != nullptr) + static_cast<std::size_t>(here.isolated_message != nullptr);
    }

    worker& self_;
    parcel* goes_past_ = nullptr;  // what comes is left there, and not put into the deque

private:
    parcel part_of_loop(protocol::request_id r) noexcept {
        splittable& s = loop_to_split();
        s.times.gives(s.left(), weighing::clock::now());
        const bool weighs = self_.may_keep() && !self_.own_part().weighs.waits;
        task* const part = s.split(self_, cut_of(s, r, weighs));
        if (weighs && divided_.is_used_up && s.outer == nullptr) s.own.begins(s.left(), s.times, weighing::clock::now());
        return {part, false, s.region};
    }
    template <class Accept>
    bool take_job_if(Accept accept) noexcept {
        tasks_in_hand& here = self_.own_part().in_hand;
        if (!self_.takes_jobs() || here.job != nullptr || here.isolated_message != nullptr) return false;
        job* const j = pool_.exchange().jobs.receive_if(accept);
        if (j == nullptr) return false;
        if (const std::uint64_t region = isolation_of(j); region != 0) {
            take_in({j, false, region});
            return true;
        }
        if (self_.queued() != 0) {
            here.job = j;
            self_.hold_all();
            return true;
        }
        try {
            self_.push(j);
            self_.hold_all();
        } catch (const std::bad_alloc&) {
            here.job = j;
        }
        return true;
    }
    sync::parker parker() noexcept { return {self_.shared_part().attention, protocol::bits::waking}; }
    // The time that is left until last_, never negative.
    [[nodiscard]] std::chrono::nanoseconds left() const noexcept {
        if (last_ == no_deadline) return std::chrono::nanoseconds::max();
        return std::max(last_ - std::chrono::steady_clock::now(), std::chrono::nanoseconds{});
    }
    void commit(sync::parker p) noexcept {
        if (last_ == no_deadline) p.commit();
        else p.commit_for(left());
    }
    [[nodiscard]] bool wait_for(sync::parker p, std::chrono::nanoseconds longest) noexcept {
        return p.wait_for(std::min(longest, left())) || has_passed(last_);
    }
    // Without memory for a message with half of the tasks, one task is an answer, too.
    static task* half(deque& from) noexcept {
        try {
            return from.take_half();
        } catch (const std::bad_alloc&) {
            return from.take_oldest();
        }
    }

    const uninterrupted meanwhile_;
    deadline last_ = no_deadline;
    protocol::division divided_;  // for the next answer
    task* taken_ = nullptr;       // an answer that is received next
};

static_assert(protocol::medium<thread_medium>);

}  // namespace parley::inline v0::threading
