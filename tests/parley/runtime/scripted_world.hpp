// What a test says of a worker and of all that is around it, and what the worker has been asked for (scripted_host.hpp).
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
    bool take_back(auto& m);
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
    bool has_given = false, is_told = true, has_got_all = true, sleeps_otherwise = false, needs_me = false;
    driver::hand lends = driver::hand::no;
    std::uint32_t depth = 0, news = 0;
    std::uint64_t sent = 0, group = 0;
    word attention = 0;

    // What the protocol answers.
    std::function<bool(asking)> seeks = [](asking) { return false; };  // true: it has received the tasks
    std::function<bool()> serves = [] { return false; };
    std::function<bool()> takes_back = [] { return false; };
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
    bool nearly_all_rest = false;
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

// A worker whose loop is worth giving, or is not, and others that want a part.
struct in_loop : world {
    explicit in_loop(std::chrono::nanoseconds lasts) {
        loop_lasts = lasts;
        attention = parley::protocol::bits::lobby;
        watches = true;
    }
};

struct medium {
    world* w;
    void lower(word b) { w->attention &= ~b; }
    [[nodiscard]] bool nearly_all_rest() const { return w->nearly_all_rest; }
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
bool protocol_part::take_back(auto&) {
    w.note("take back");
    return w.takes_back();
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

}  // namespace parley_tests::scripted
