// What a worker does with a request that comes to it, where requests circulate: its own, which may bring something, and
// others', which it answers or sends on (TH figures 4.1 and 4.4). When it asks itself is in circulating_worker.hpp.
#pragma once

#include <lab/papers/circulating.hpp>
#include <lab/papers/circulating_request.hpp>
#include <lab/papers/medium.hpp>
#include <parley/detail/base/rng.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <cstdint>
#include <optional>

namespace parley::inline v0::protocol {

template <class Victims, class Stealing>
class circulating_victim : public circulating_request {
public:
    [[nodiscard]] bool counts_tasks() const noexcept { return stealing_.remembers(); }
    [[nodiscard]] bool remembers_victims() const noexcept { return victims_.remembers(); }

    // Moves what has arrived into the empty deque. What has arrived may be a task without work: then the next
    // request goes to worker 0 (TH §4.2.1).
    template <papers_medium M>
    bool receive(M& m) {
        if (!is_out_) return false;
        if (m.tasks_arrived(own(slot_))) return receive_answer(m);
        if (!has_brought_) return false;
        m.unload_tasks(own(slot_));
        has_brought_ = is_out_ = is_out_of_date_ = is_unanswered_ = false;
        m.land(own(slot_));
        count_steal(m);
        return true;
    }

    friend bool operator==(const circulating_victim&, const circulating_victim&) = default;

protected:
    enum class having : std::uint8_t { task, nothing, left };

    circulating_victim(worker_id self, std::uint32_t workers, std::uint64_t seed, Stealing stealing, Victims victims,
                       circulating how) noexcept
        : circulating_request(self, workers, how), random_(seed), stealing_(stealing), victims_(victims) {}

    // True: it has brought this worker tasks, which are in the deque.
    template <papers_medium M>
    bool handle(M& m, letter t, having what, standing where) {
        if (thief_of(t.request) == self_) {
            has_come_back(m, t, what, where);
        } else if (how_.loads_letters() && m.is_loaded(t.request)) {
            return take_load(m, t, what);
        } else {
            const bool gives = can_give(m, what);
            if (gives) release(m, t);
            else register_thief(m, t);
            if (!gives && what == having::nothing) hijack(m, t);
            const bool looks_on = t.samples > 0 && victims_.looks_on(t, self_, m.spare());
            if (gives && !looks_on) answer(m, t, what);
            else forward(m, t, what);
        }
        return false;
    }

    // To the next victim; to its thief, if it has been everywhere, or if that is to choose.
    template <papers_medium M>
    void forward(M& m, letter t, having what) {
        const worker_id thief = thief_of(t.request);
        if (how_.refuses == refusal::forwards || thief == self_) {
            while (const std::optional<worker_id> victim = victims_.next(t, workers_)) {
                if (*victim == self_) {  // the richest that was looked at
                    if (!can_give(m, what)) continue;
                    answer(m, t, what);
                    return;
                }
                if (send(m, *victim, t)) return;
            }
        }
        if (thief == self_) comes_home(m, t);
        else (void)send(m, thief, t);  // open as long as its request is out
    }

    bool asks_root_ = false;  // first
    base::rng random_;
    [[no_unique_address]] Stealing stealing_;
    [[no_unique_address]] Victims victims_;

private:
    template <papers_medium M>
    bool receive_answer(M& m) {
        const request_id r = own(slot_);
        const worker_id victim = m.victim_of(r);
        const bool goes_on = how_.continues && m.goes_on(r);  // said with the answer
        (void)take_answer(m, r);                              // nobody takes an answer back
        const bool has_tasks = m.receive_tasks(r);
        // If it goes on, it says nothing of this worker any more.
        is_out_ = goes_on && (has_brought_ || !m.may_travel(r));
        asked_as_ = status::working;
        is_out_of_date_ = is_registered_ = is_unanswered_ = false;
        asks_root_ = !has_tasks;
        if (!has_tasks) return false;
        if (victims_.remembers()) victims_.stole_from(victim);
        count_steal(m);
        return true;
    }
    template <papers_medium M>
    void count_steal(M& m) {
        if (stealing_.remembers()) stealing_.stole(m.tasks_run());
        m.note(event::steal);
    }

    template <papers_medium M>
    bool can_give(M& m, having what) {
        return m.spare() > 0 || (what == having::task && receive(m));
    }

    template <papers_medium M>
    void register_thief(M& m, letter& t) {
        if (t.status != status::idle || !idle_.is_manager()) return;
        read_messages(m);  // what was sent before this request comes before it: figure 4.3
        m.register_idle(thief_of(t.request));
        t.status = status::registered_idle;
    }

    template <papers_medium M>
    void has_come_back(M& m, const letter& t, having what, standing where) {
        const bool goes_on = what == having::nothing || (what == having::task && t.status == status::satisfied);
        const bool is_loaded = how_.loads_letters() && m.is_loaded(t.request);
        if (how_.refuses == refusal::acknowledges && goes_on && !is_loaded) {
            forward(m, t, what);
        } else {
            comes_home(m, t);
        }
        if (is_out_) return;
        if (what == having::task) {
            // No longer needed (figure 4.4, lines 16 to 18). If the manager cannot be told now, the next request says
            // that this worker is registered still.
            if (is_registered_) (void)tell(m, status::update);
        } else if (where == standing::between_tasks && idle_.changes_set()) {
            register_itself(m);
        }
    }

    // An answer goes to the thief's task channel. A second one, and one that somebody else is to have, is loaded into
    // the letter: so a task channel has one sender at a time.
    template <papers_medium M>
    void answer(M& m, letter t, having what) {
        const worker_id thief = thief_of(t.request);
        const amount wish = m.wish(t.request);
        if (t.status == status::satisfied || (how_.hijacks && m.taker(t.request) != thief)) {
            m.load_tasks(t.request, wish);
            send_load(m, t);
            if (victims_.remembers()) victims_.gave_to(thief);
            return;
        }
        const bool tells_manager = t.status == status::registered_idle && !idle_.changes_set();
        const bool goes_on = how_.continues && !tells_manager;
        if (how_.continues) m.set_goes_on(t.request, goes_on);
        if (t.status == status::registered_idle && idle_.changes_set()) m.unregister_idle(thief);
        if (tells_manager) report(m, t, status::update);
        else if (!goes_on) m.land(t.request);
        m.send_tasks(t.request, wish);
        m.raise_and_wake(thief, bits::tasks);
        m.note(event::message);
        if (victims_.remembers()) victims_.gave_to(thief);
        if (!goes_on) return;
        t.status = status::satisfied;
        forward(m, t, what);
    }

    // --- hijacking (TH §7.2) ---------------------------------------------------------------------
    // Who waits with a request of its own changes to whom the next victim sends its tasks; not if its request may be
    // on its way to say that it is idle: the manager would believe it.
    template <papers_medium M>
    void hijack(M& m, const letter& t) {
        if (!how_.hijacks || !is_out_ || idle_.is_dedicated() || m.taker(t.request) != thief_of(t.request)) return;
        const bool is_less_urgent = t.status == status::working || t.status == status::satisfied;
        if (is_less_urgent && may_take_work()) m.set_taker(t.request, self_);
    }
    [[nodiscard]] bool may_take_work() const noexcept {
        return !is_out_ || idle_.changes_set() || asked_as_ != status::idle;
    }
    // Who has tasks itself does not want another's.
    template <papers_medium M>
    void release(M& m, const letter& t) {
        if (how_.hijacks && m.taker(t.request) == self_) m.set_taker(t.request, thief_of(t.request));
    }

    // To whoever is to have it; or to its thief, which is there as long as its request is out.
    template <papers_medium M>
    void send_load(M& m, const letter& t) {
        const worker_id thief = thief_of(t.request);
        const worker_id taker = how_.hijacks ? m.taker(t.request) : thief;
        if (taker != thief && send(m, taker, t)) return;
        (void)send(m, thief, t);
    }
    // What it has hijacked before; its thief gets what it no longer needs.
    template <papers_medium M>
    bool take_load(M& m, const letter& t, having what) {
        const bool takes = what == having::nothing && m.spare() == 0 && m.taker(t.request) == self_ && stop_being_idle(m);
        if (takes) {
            m.unload_tasks(t.request);
            is_unanswered_ = false;
            count_steal(m);
        }
        m.set_taker(t.request, thief_of(t.request));
        (void)send(m, thief_of(t.request), t);
        return takes;
    }
    // Before it takes work that no request of its own has brought. False: the manager cannot be told now.
    template <papers_medium M>
    bool stop_being_idle(M& m) {
        if (!may_take_work()) return false;
        if (!is_registered_) return true;
        if (!tell(m, status::update)) return false;
        goes_on();
        return true;
    }
};

}  // namespace parley::inline v0::protocol
