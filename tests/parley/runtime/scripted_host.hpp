// A host of the wait loop in which the test says what happens and how long it takes. It writes down what the loop asks for.
#pragma once

#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/suspended_waits.hpp>
#include <parley/detail/driver/waiting.hpp>
#include <parley/detail/driver/weighing.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace parley_tests::scripted {

using namespace std::chrono_literals;
namespace driver = parley::threading;
using parley::protocol::asking;
using parley::protocol::standing;
using time_point = std::chrono::steady_clock::time_point;
using word = parley::protocol::bits::word;

struct world;

// The worker's state in the protocol. What a call returns stands in the world.
struct protocol_part {
    world& w;
    bool seek(auto& m, standing shown, asking asks);
    bool serve(auto& m);
    [[nodiscard]] const parley::protocol::range& serves() const;
    void serves_everybody();
    void begin_at_rest(auto& m);
    bool serve_briefly(auto& m);
    bool go_to_sleep(auto& m, asking asks);
    void wake_up(auto& m);
    void rest(auto& m);
    void withdraw(auto& m);
    void ask_early(auto& m);
    void stay_away(auto& m);
    void come_back(auto& m);
    [[nodiscard]] bool may_pause(auto& m) const;
    [[nodiscard]] bool all_home(auto& m) const;
    [[nodiscard]] bool is_being_answered(auto& m) const;
};

struct other_worker {
    word wanted = 0;
    bool is_asleep = false, is_victim = true, has_looked = false, has_just_begun = false;
    int interrupted = 0, insisted = 0;
};

struct world {
    time_point now{1s};
    driver::policies policy{
        .patience = {4, 0}, .stealing_pays = {}, .answer_pace = driver::pace(4), .backoff = {}, .ahead_of_time = {}};
    driver::weighed weighed;
    int acting_later = 0;  // objects that live
    parley::protocol::range serves_range;
    bool has_own_share = false;
    bool is_deputy = false, has_deputy = false;  // is it this worker, or another one?
    driver::suspended_waits suspended{0};
    protocol_part of_protocol{*this};

    std::vector<std::string> calls;            // in order
    std::vector<std::function<void()>> tasks;  // the last is the newest
    std::vector<other_worker> others;

    // How the worker stands.
    bool takes_work = true, is_to_go = false, only_serves = false, circulates = false, backs_off = false, watches = false;
    bool is_wanted = false, puts_off = false, looks_between_tasks = false, looks_up_after_task = false;
    bool paces_answers = false, may_switch = true, is_isolated = false, has_looked = false, holds_job = false;
    bool is_told = true, has_got_all = true, sleeps_otherwise = false, needs_me = false;
    driver::hand lends = driver::hand::no;
    std::uint32_t depth = 0, news = 0;
    std::uint64_t sent = 0, group = 0;
    word attention = 0;

    // What the protocol answers.
    std::function<bool(asking)> seeks = [](asking) { return false; };  // true: it has received the tasks
    std::function<bool()> serves = [] { return false; };
    std::function<void()> sleeps = [this] { now += 1ms; };
    std::function<void()> on_look = [] {};  // after each pause of the watch
    bool falls_asleep = true, may_pause = true, is_home = true, is_being_answered = false;
    bool splits_own_loop = false, has_message = false, has_high = false;
    bool in_charge = true, watch_is_taken = false;

    // What it has, and who wants it.
    bool may_keep = true, has_lost_its_core = false, anybody_rests = true;
    std::optional<std::chrono::nanoseconds> loop_lasts;  // the rest of a loop; nothing: there is none
    std::set<parley::protocol::worker_id> those_that_run, on_their_way;
    parley::protocol::worker_id one_that_rests = parley::protocol::no_worker;
    std::uintptr_t code_of_newest = 0;
    std::chrono::nanoseconds waking_takes = 10us;
    time_point keeps_since{};

    std::chrono::nanoseconds others_run{};  // on its core, while it gives way
    bool skips = true;                      // a turn in vain lasts as long as the advice is the same

    // What the loop has said.
    driver::doing does = driver::doing::useful;
    time_point searched_at{}, searched_when_it_gave_way{};
    std::chrono::nanoseconds sleeps_for{-1};
    std::vector<std::chrono::nanoseconds> looks_of_watch;  // the pauses between them
    std::size_t most_looks_of_watch = 40;                  // then it is woken
    driver::deadline last_of_sleep = driver::no_deadline;
    bool waits_while_serving = false;

    void note(std::string what) { calls.push_back(std::move(what)); }
    [[nodiscard]] auto times(const std::string& what) const { return std::count(calls.begin(), calls.end(), what); }
    [[nodiscard]] bool did(const std::string& what) const { return times(what) != 0; }
    // Is `first` in the list, and `then` somewhere behind it?
    [[nodiscard]] bool did_before(const std::string& first, const std::string& then) const {
        const auto at = std::find(calls.begin(), calls.end(), first);
        return at != calls.end() && std::find(at, calls.end(), then) != calls.end();
    }
    void receive(std::function<void()> task = [] {}) { tasks.push_back(std::move(task)); }
};

struct medium {
    world* w;
    void lower(word b) { w->attention &= ~b; }
    void sleep() {
        w->note("sleep");
        w->sleeps();
    }
    void sleep_for(std::chrono::nanoseconds d) {
        w->note("sleep for");
        w->sleeps_for = d;
        w->now += d;
    }
    // True: somebody has woken the worker.
    [[nodiscard]] bool sleep_up_to(std::chrono::nanoseconds d) {
        w->looks_of_watch.push_back(d);
        w->now += d;
        w->on_look();
        return w->looks_of_watch.size() == w->most_looks_of_watch;
    }
    void sleep_no_longer_than(driver::deadline last) { w->last_of_sleep = last; }
    [[nodiscard]] std::size_t spare() const { return w->tasks.size(); }
    void raise_and_wake(parley::protocol::worker_id whom, word) {
        w->note("wake worker " + std::to_string(whom));
        w->now += w->waking_takes;
    }
};

bool protocol_part::seek(auto&, standing shown, asking asks) {
    w.note(shown == standing::in_task ? "seek in task" : "seek between tasks");
    return w.seeks(asks);
}
bool protocol_part::serve(auto&) {
    w.note("serve");
    w.waits_while_serving = w.weighed.waits;
    return w.serves();
}
bool protocol_part::serve_briefly(auto&) {
    w.note("serve briefly");
    return w.serves();
}
bool protocol_part::go_to_sleep(auto&, asking) {
    w.note("go to sleep");
    return w.falls_asleep;
}
void protocol_part::wake_up(auto&) { w.note("wake up"); }
void protocol_part::rest(auto&) { w.note("rest"); }
inline const parley::protocol::range& protocol_part::serves() const { return w.serves_range; }
void protocol_part::begin_at_rest(auto&) { w.note("begin at rest"); }
inline void protocol_part::serves_everybody() { w.note("serves everybody"); }
void protocol_part::withdraw(auto&) { w.note("withdraw"); }
void protocol_part::ask_early(auto&) { w.note("ask early"); }
void protocol_part::stay_away(auto&) { w.note("stay away"); }
void protocol_part::come_back(auto&) { w.note("come back"); }
bool protocol_part::may_pause(auto&) const { return w.may_pause; }
bool protocol_part::all_home(auto&) const { return w.is_home; }
bool protocol_part::is_being_answered(auto&) const { return w.is_being_answered; }

class host {
public:
    using task = std::function<void()>;
    using medium = scripted::medium;

    explicit host(world& of) : w(&of) {}

    [[nodiscard]] protocol_part& machine() const { return w->of_protocol; }
    [[nodiscard]] medium look_at_others() const { return {w}; }
    [[nodiscard]] driver::suspended_waits& suspended() const { return w->suspended; }
    [[nodiscard]] driver::policies& policy() const { return w->policy; }
    [[nodiscard]] driver::weighed& weighed() const { return w->weighed; }

    [[nodiscard]] parley::protocol::worker_id id() const { return 0; }
    [[nodiscard]] std::uint32_t size() const { return 4; }
    [[nodiscard]] bool is_wanted() const { return w->is_wanted; }
    [[nodiscard]] bool looks_up_after_task() const { return w->looks_up_after_task; }
    [[nodiscard]] word attention() const { return w->attention; }
    [[nodiscard]] std::uint32_t news_seen() const { return w->news; }
    [[nodiscard]] bool takes_work() const { return w->takes_work; }
    [[nodiscard]] bool is_to_go() const { return w->is_to_go; }
    [[nodiscard]] driver::hand lends() const { return w->lends; }
    void set_hand(driver::hand h) const {
        if (std::exchange(w->lends, h) != h) w->note("hand " + std::to_string(static_cast<int>(h)));
    }
    [[nodiscard]] bool only_serves(standing) const { return w->only_serves; }
    [[nodiscard]] bool circulates() const { return w->circulates; }
    [[nodiscard]] bool backs_off() const { return w->backs_off; }
    [[nodiscard]] bool watches() const { return w->watches; }
    [[nodiscard]] bool paces_answers() const { return w->paces_answers; }
    [[nodiscard]] bool& puts_off() const { return w->puts_off; }
    [[nodiscard]] std::uint64_t sent() const { return w->sent; }

    [[nodiscard]] time_point now() const { return w->now; }
    void says_that_it_searches(time_point at) const { w->searched_at = at; }
    static constexpr unsigned turns_per_look = 1;
    [[nodiscard]] bool pass_time(driver::idle_advice how, driver::deadline until) const {
        w->now = w->skips ? std::max(w->now + 300ns, until) : w->now + 300ns;
        w->note(how == driver::idle_advice::spin ? "spin" : "give way");
        if (how == driver::idle_advice::spin) return false;
        w->searched_when_it_gave_way = w->searched_at;
        w->now += w->others_run;
        return w->others_run >= driver::weighing::runs_still;
    }
    [[nodiscard]] driver::idle_advice heeds(driver::idle_advice a) const { return a; }
    [[nodiscard]] bool sleeps_otherwise(medium&, driver::deadline) const {
        if (w->sleeps_otherwise) w->note("sleep otherwise");
        return w->sleeps_otherwise;
    }
    [[nodiscard]] bool sleep_until_needed(medium&, bool is_away) const {
        w->note(is_away ? "sleep away" : "sleep until needed");
        w->sleeps();
        return w->needs_me;
    }
    void count_wake() const { w->note("count wake"); }

    [[nodiscard]] task* pop() const {
        if (w->tasks.empty()) return nullptr;
        popped_ = std::move(w->tasks.back());
        w->tasks.pop_back();
        return &popped_;
    }
    void run(task* t) const {
        const task now = std::move(*t);
        w->note("run");
        now();
    }
    void run_shown(task* t) const { run(t); }
    [[nodiscard]] bool looks_between_tasks() const { return w->looks_between_tasks; }
    [[nodiscard]] std::size_t queued() const { return w->tasks.size(); }
    [[nodiscard]] bool has_something() const { return w->holds_job; }
    void hold_all() const { w->note("hold all"); }
    void let_go() const { w->note("let go"); }
    [[nodiscard]] bool run_high() const {
        if (!std::exchange(w->has_high, false)) return false;
        w->note("run high");
        return true;
    }
    [[nodiscard]] bool run_high_before(task* t) const {
        if (!run_high()) return false;
        w->tasks.push_back(std::move(*t));
        return true;
    }
    void begin_foreign_tasks() const {
        w->note("begin foreign tasks");
        w->holds_job = false;
    }
    [[nodiscard]] bool split_own_loop() const {
        if (!std::exchange(w->splits_own_loop, false)) return false;
        w->receive();
        return true;
    }
    [[nodiscard]] bool run_isolated_message() const {
        if (!std::exchange(w->has_message, false)) return false;
        w->note("run message");
        return true;
    }
    void run_what_comes_late(medium&) const { w->note("run what comes late"); }
    void give_up_tasks() const { w->note("give up tasks"); }
    void give_everything(medium&) const { w->note("give everything"); }
    void leave_all() const { w->note("leave all"); }
    void has_got_work() const { w->note("has got work"); }
    [[nodiscard]] time_point has_got_work_at() const { return w->now; }

    [[nodiscard]] bool may_switch() const { return w->may_switch; }
    [[nodiscard]] bool is_isolated() const { return w->is_isolated; }
    [[nodiscard]] std::uint32_t depth() const { return w->depth; }
    [[nodiscard]] driver::fiber* helper() const { return &w->suspended.running(); }
    template <class Next>
    void suspend(driver::suspended_wait&, Next&) const {
        w->note("suspend");
        w->holds_job = false;
    }

    class neighbour {
    public:
        explicit neighbour(other_worker& whom) : whom_(&whom) {}
        [[nodiscard]] word wanted() const { return whom_->wanted; }
        [[nodiscard]] bool is_asleep(word) const { return whom_->is_asleep; }
        [[nodiscard]] bool is_victim() const { return whom_->is_victim; }
        [[nodiscard]] bool has_looked() const { return whom_->has_looked; }
        [[nodiscard]] bool has_just_begun() const { return whom_->has_just_begun; }
        [[nodiscard]] other_worker& itself() const { return *whom_; }

    private:
        other_worker* whom_;
    };
    template <class Visit>
    void each_other(const Visit& visit) const {
        for (other_worker& o : w->others) visit(neighbour(o));
    }
    void interrupt(neighbour whom, bool insists) const { ++(insists ? whom.itself().insisted : whom.itself().interrupted); }
    struct role {
        world* w;
        [[nodiscard]] bool take(parley::protocol::worker_id) const { return w->in_charge; }
        [[nodiscard]] bool is_taken() const { return w->watch_is_taken; }
        void give_up(parley::protocol::worker_id) const { w->note("give up watch"); }
    };
    [[nodiscard]] role watch() const { return {w}; }
    struct deputys_role {
        world* w;
        [[nodiscard]] bool take(parley::protocol::worker_id) const { return !w->has_deputy && (w->is_deputy = true); }
        void give_up(parley::protocol::worker_id) const { w->is_deputy = false; }
    };
    [[nodiscard]] deputys_role deputy() const { return {w}; }
    void wake_one_that_rests() const { w->note("wake one"); }

    [[nodiscard]] bool says_that_it_has_looked() const { return w->has_looked; }
    void show_whether_it_has_looked(bool has_something) const {
        w->note(has_something ? "looked, has something" : "looked, has nothing");
    }
    void has_not_looked() const { w->note("has not looked"); }
    void keeps_nothing() const { w->note("keeps nothing"); }
    void keeps_since(time_point at) const { w->keeps_since = at; }
    [[nodiscard]] bool may_keep() const { return w->may_keep; }
    [[nodiscard]] bool only_work_is_wanted() const { return w->attention == parley::protocol::bits::lobby; }
    [[nodiscard]] bool has_something_in_hand() const { return w->holds_job; }
    [[nodiscard]] bool has_own_share() const { return w->has_own_share; }
    [[nodiscard]] std::optional<std::chrono::nanoseconds> loop_lasts(std::chrono::nanoseconds, time_point) const {
        return w->loop_lasts;
    }
    [[nodiscard]] bool has_lost_its_core(time_point) const { return std::exchange(w->has_lost_its_core, false); }
    [[nodiscard]] bool runs(parley::protocol::worker_id whom, time_point) const { return w->those_that_run.contains(whom); }
    [[nodiscard]] bool is_on_its_way(parley::protocol::worker_id whom) const { return w->on_their_way.contains(whom); }
    [[nodiscard]] bool anybody_rests() const { return w->anybody_rests; }
    [[nodiscard]] parley::protocol::worker_id one_that_rests() const { return w->one_that_rests; }
    [[nodiscard]] std::uintptr_t code_of_newest() const { return w->code_of_newest; }
    void serve_others() const { w->note("serve others"); }
    void serve_those_put_off() const { w->note("serve those put off"); }
    [[nodiscard]] bool begins_to_serve() const {
        w->note("begin to serve");
        return true;
    }
    void turn_away() const { w->note("turn away"); }
    void turn_away_from_others() const { w->note("turn away from others"); }
    void now_does(driver::doing what) const { w->does = what; }
    void begins_turn() const { w->note("turn"); }
    [[nodiscard]] std::uint64_t group() const { return w->group; }
    [[nodiscard]] bool uninterrupted() const { return true; }
    struct acting_later {
        world& w;
        explicit acting_later(world& which) : w(which) { ++w.acting_later; }
        acting_later(const acting_later&) = delete;
        ~acting_later() { --w.acting_later; }
    };
    [[nodiscard]] acting_later acts_on_signals_later() const { return acting_later(*w); }

    struct seat {
        explicit seat(host h) : w(h.w) { ++w->depth; }
        ~seat() { --w->depth; }
        seat(const seat&) = delete;
        seat& operator=(const seat&) = delete;
        world* w;
    };
    struct noted {
        explicit noted(const auto&) {}
    };
    void becomes(noted&, driver::wait_state s) const { w->note(s == driver::wait_state::asleep ? "asleep" : "awake"); }
    struct left_stack {
        left_stack(host, noted&, driver::suspended_wait&) {}
    };
    struct wanting {
        wanting(host h, asking) : w(h.w) {}
        [[nodiscard]] bool has_got_all() const { return w->has_got_all; }
        [[nodiscard]] bool is_told() const { return w->is_told; }
        world* w;
    };
    struct sitting_out {
        explicit sitting_out(host) {}
    };

private:
    world* w;
    mutable task popped_;
};

static_assert(driver::weighs<host>);

// A condition that holds when the function says so.
struct until {
    std::function<bool()> holds;
    bool operator()() const { return holds(); }
    bool may_hold() const { return true; }
};
inline const until never{[] { return false; }};
struct until_or_deadline : until {
    driver::deadline last;
};

}  // namespace parley_tests::scripted
