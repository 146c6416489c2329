// States that go on alike are made equal: what nobody will look at again is set to one value, and
// what is only ever compared is kept as differences. A state in normal form is an ordinary state.
#pragma once

#include <lab/sim/live_log.hpp>
#include <lab/sim/two_scenes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace parley::inline v0::sim {

template <class Machine>
class normal_form {
public:
    explicit normal_form(scene<Machine>& s) : s_(s), all_(s.shared) {
        forget_times();
        balance_counters();
        for (std::uint32_t w = 0; w < s_.worker_count(); ++w) {
            tidy(all_.workers[w], s_.workers[w]);
            tidy_log(w, s_.workers[w].log);
        }
        for (outsider& o : s_.outsiders) tidy_job(o);
        forget_who_ran();
    }

private:
    using request_state = protocol::request_state;

    // Of all times only this matters: whether a job was counted after the manager's last look.
    void forget_times() {
        for (task_state& t : all_.tasks) t.counted = t.counted > all_.jobs_read_at ? 2 : 0;
        all_.jobs_read_at = 1;
        all_.step = 2;
    }

    // A scan compares sums, and sums with each other; what one worker sent does not matter. So each
    // counter is taken relative to the oldest value that a scan in progress remembers, and what is
    // too much in sum is given to worker 0. What a log remembers of a scan that is over stays.
    void balance_counters() {
        std::uint64_t sent = 0, received = 0;
        for (std::uint32_t w = 0; w < s_.worker_count(); ++w) {
            sent += lower_all(w, &published_words::sent, &outcome::x);
            received += lower_all(w, &published_words::received, &outcome::y);
        }
        std::uint64_t base = all_.jobs_sent;
        each_read(operation::jobs_sent, 0, [&](outcome& r) { base = std::min(base, r.x); });
        // That there were any matters to worker 0.
        if (s_.workers[0].machine.circulates()) base -= std::min(base, std::uint64_t{1});
        all_.jobs_sent -= base;
        each_read(operation::jobs_sent, 0, [&](outcome& r) { r.x -= base; });
        sent += base;
        const std::uint64_t both = std::min(sent, received);
        all_.workers[0].standing.sent += sent - both;
        all_.workers[0].standing.received += received - both;
        each_read(operation::published, 0, [&](outcome& r) {
            r.x += sent - both;
            r.y += received - both;
        });
    }
    std::uint64_t lower_all(std::uint32_t w, std::uint64_t published_words::* now, std::uint64_t outcome::* then) {
        std::uint64_t& count = all_.workers[w].standing.*now;
        std::uint64_t base = count;
        each_read(operation::published, w, [&](outcome& r) { base = std::min(base, r.*then); });
        count -= base;
        each_read(operation::published, w, [&](outcome& r) { r.*then -= base; });
        return base;
    }
    template <class Visit>
    void each_read(operation what, std::uint32_t about, const Visit& visit) {
        for (auto& v : s_.workers)
            for (std::size_t i = v.machine.circulates() ? 0 : live_log().begin(v.at, v.log); i < v.log.size(); ++i)
                if (v.log[i].what == what && v.log[i].about == about) visit(v.log[i].result);
    }

    void tidy(member& m, virtual_worker<Machine>& v) {
        if (!v.machine.counts_tasks()) m.tasks_run = 0;
        if (v.at != point::asleep) m.woken = false;
        for (own_request& r : m.requests) {
            if (r.state != request_state::taken && !v.machine.circulates()) r.claimer = nobody;
            if (r.answer.empty() || !(v.machine.remembers_victims() || all_.takes_back)) r.victim = protocol::no_worker;
            if (r.answer.empty() && !r.letter_away) r.goes_on = false;
            if (!r.letter_away) r.taker = protocol::no_worker;
        }
        for (protocol::letter& t : m.letters.letters) tidy_order(t);
        for (protocol::letter& t : m.messages) t = {.request = t.request, .status = t.status};
        const bool waits = v.at >= point::paying && v.at <= point::waking_up;
        if (!waits) {
            v.asks = protocol::asking::as_strategy;
            v.goes = false;
            v.waits_alone = false;
        }
        tidy_job(v);
    }
    static void tidy_job(agent& a) {
        if (a.at < point::counting_job || a.at > point::relaying) a.job = no_task;
    }

    // Only those victims count that a letter has not been to.
    void tidy_order(protocol::letter& t) const {
        if (t.preferred != protocol::no_worker || t.samples > 0 || s_.set.how.victims == strategies::victim::nearest)
            return;  // another order
        const std::uint32_t victims = all_.size - 1;
        if (t.hop + 1u < victims || victims < 2) return;
        if (t.hop >= victims) {
            t.start = 0;
        } else {
            const std::uint32_t last = t.start + std::uint32_t{t.hop} * t.stride;
            t.start = static_cast<std::uint16_t>((last + victims - t.hop) % victims);
        }
        t.stride = 1;
    }

    // What a handler has read and can not make a difference. It reads the letter's order, a foreign
    // request's state (circulating or not) and its attention for what serve() looks at.
    void tidy_log(std::uint32_t self, std::vector<entry>& log) const {
        bits::word served = bits::tasks | bits::news | bits::mail | bits::jobs | bits::lobby | bits::scan | bits::message;
        if (s_.workers[self].machine.circulates()) served |= bits::start | bits::stop;
        for (entry& e : log) {
            if (e.what == operation::tasks_run && !s_.workers[self].machine.counts_tasks()) e.result.x = 0;
            if (e.what == operation::attention) e.result.x &= served;
            if (e.what == operation::state && protocol::thief_of(e.about) != self &&
                decode<request_state>(e.result) != request_state::circulating)
                e.result = encode(request_state::home);
            if (e.what == operation::receive_request && e.result.yes) {
                auto letter = decode<std::optional<protocol::letter>>(e.result);
                tidy_order(*letter);
                e.result = encode(letter);
            }
        }
    }

    // Who ran a task matters as long as somebody may have to tell them something.
    void forget_who_ran() {
        for (task_id t = 0; t < all_.tasks.size(); ++t) {
            if (all_.tasks[t].status == task_status::running) continue;
            const auto owes = [&](const auto& v) { return v.news_group == t; };
            if (std::none_of(s_.workers.begin(), s_.workers.end(), owes)) all_.tasks[t].worker = 0;
        }
    }

    scene<Machine>& s_;
    world& all_;
};

template <class Machine>
void make_normal(scene<Machine>& s) {
    (void)normal_form<Machine>(s);
}
template <class Machine>
void make_normal(two_scenes<Machine>& s) {
    make_normal(s.first);
    make_normal(s.second);
}

}  // namespace parley::inline v0::sim
