// The simplest medium: all workers in one thread, nothing happens in between. For what a single call
// of a handler leaves behind; interleavings are the simulator's business.
#pragma once

#include <parley/detail/protocol/idleness.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace protocol_tests {

using namespace parley::protocol;

struct own_request {
    request_state request = request_state::home;
    amount wish = amount::one;
    bool letter_here = true;
    std::size_t arrived = 0;    // tasks in the task channel
    bool nothing_came = false;  // an answer without tasks
    worker_id victim = no_worker;
    bool goes_on = false;
    std::size_t load = 0;  // tasks in the letter
    worker_id taker = no_worker;
};

// The first of its requests, and what else a worker shows.
struct place : own_request {
    own_request second;
    bool open = true;
    bool asleep = false;
    bits::word attention = 0;
    std::deque<letter> mailbox, messages;
    std::size_t spare = 0;  // tasks in the deque
    bool in_loop = false;   // it has iterations to spare, if its deque is empty
    std::uint64_t tasks_run = 0;
    published_state published;
};

struct house {
    explicit house(std::uint32_t workers) : at(workers), manager(manager_of(workers)) {}
    std::vector<place> at;
    std::set<request_id> lobby;
    std::size_t jobs = 0;
    bool others_are_faster = false;  // at taking jobs
    bool keeps_back = false;
    std::vector<worker_id> asked_whether_it_keeps;  // by no_worker: for those that rest
    bool rests_meanwhile = false;                   // a circulating request, when it is next to be claimed
    std::uint64_t jobs_sent = 0;
    bool barrier_open = false;
    worker_id manager;
    std::set<worker_id> registered;  // as idle
    std::vector<event> events;
    std::vector<std::string> order;  // of what must come in a certain one
    std::function<void()> before_answer_is_taken;
};

class one_thread_medium {
public:
    one_thread_medium(house& h, worker_id self) : house_(h), self_(self) {}

    bool send_request(worker_id to, const letter& t) {
        if (!house_.at[to].open) return false;
        house_.at[to].mailbox.push_back(t);
        house_.at[to].attention |= bits::mail;
        return true;
    }
    std::optional<letter> receive_request() {
        auto& box = mine().mailbox;
        if (box.empty()) return std::nullopt;
        const letter t = box.front();
        box.pop_front();
        return t;
    }
    void send_message(worker_id to, const letter& t) { house_.at[to].messages.push_back(t); }
    std::optional<letter> receive_message() {
        auto& box = mine().messages;
        if (box.empty()) return std::nullopt;
        const letter t = box.front();
        box.pop_front();
        return t;
    }
    void open_mailbox() { mine().open = true; }
    void close_mailbox() { mine().open = false; }

    request_state state(request_id r) const { return at(r).request; }
    void set_state(request_id r, request_state s) {
        if (thief_of(r) != self_ && s == request_state::home) house_.order.emplace_back("home");
        at(r).request = s;
    }
    bool claim(request_id r, request_state from, request_state to) {
        if (std::exchange(house_.rests_meanwhile, false)) set_state(r, request_state::resting);
        if (state(r) != from) return false;
        set_state(r, to);
        return true;
    }
    void set_wish(request_id r, amount a) { at(r).wish = a; }
    amount wish(request_id r) const { return at(r).wish; }
    bool may_travel(request_id r) const { return at(r).letter_here; }
    void take_off(request_id r) { at(r).letter_here = false; }
    void land(request_id r) { at(r).letter_here = true; }

    bool deposit(request_id r) {
        const bool was_empty = house_.lobby.empty();
        house_.lobby.insert(r);
        return was_empty;
    }
    std::optional<request_id> take_resting() {
        if (house_.lobby.empty()) return std::nullopt;
        const request_id r = *house_.lobby.begin();
        house_.lobby.erase(r);
        return r;
    }
    bool lobby_empty() const { return house_.lobby.empty(); }

    bits::word attention() const { return house_.at[self_].attention; }
    void lower(bits::word b) { mine().attention &= ~b; }
    void raise(worker_id w, bits::word b) { house_.at[w].attention |= b; }
    void raise_and_wake(worker_id w, bits::word b) {
        house_.order.emplace_back("wake");
        house_.at[w].attention |= b;
    }
    bool prepare_to_sleep() {
        if ((mine().attention & bits::waking) != 0) return false;
        mine().asleep = true;
        return true;
    }
    void cancel_sleep() { mine().asleep = false; }

    std::size_t spare() const {
        const place& me = house_.at[self_];
        return me.spare == 0 && me.in_loop ? 1 : me.spare;
    }
    bool has_tasks() const { return house_.at[self_].spare != 0; }
    bool keeps_back(worker_id thief) {
        house_.asked_whether_it_keeps.push_back(thief);
        return house_.keeps_back;
    }
    std::uint64_t tasks_run() const { return house_.at[self_].tasks_run; }
    void send_tasks(request_id r, amount a) {
        house_.order.emplace_back("send");
        at(r).arrived += oldest(a);
        at(r).victim = self_;
    }
    bool take_answer(request_id r) {
        if (house_.before_answer_is_taken) std::exchange(house_.before_answer_is_taken, nullptr)();
        return tasks_arrived(r);
    }
    std::optional<request_id> take_back() {
        for (worker_id w = 0; w < house_.at.size(); ++w) {
            const request_id r = request_of(w);
            if (at(r).arrived == 0 || at(r).victim != self_) continue;
            house_.order.emplace_back("take back");
            (void)receive_tasks(r);
            return r;
        }
        return std::nullopt;
    }
    void set_taker(request_id r, worker_id w) { at(r).taker = w; }
    worker_id taker(request_id r) const { return at(r).taker; }
    void set_goes_on(request_id r, bool goes_on) { at(r).goes_on = goes_on; }
    bool goes_on(request_id r) const { return at(r).goes_on; }
    void load_tasks(request_id r, amount a) {
        if (at(r).load != 0) throw std::logic_error("a letter was loaded twice");
        at(r).load = oldest(a);
    }
    void unload_tasks(request_id r) {
        if (mine().spare != 0) throw std::logic_error("tasks were unloaded into a deque that is not empty");
        mine().spare = std::exchange(at(r).load, 0U);
    }
    bool is_loaded(request_id r) const { return at(r).load > 0; }
    void send_nothing(request_id r) { at(r).nothing_came = true; }
    bool receive_tasks(request_id r) {
        if (std::exchange(at(r).nothing_came, false)) return false;
        mine().spare += std::exchange(at(r).arrived, 0U);
        return true;
    }
    bool tasks_arrived(request_id r) const { return at(r).arrived > 0 || at(r).nothing_came; }
    worker_id victim_of(request_id r) const { return at(r).victim; }
    bool take_job() {
        if (house_.jobs == 0) return false;
        --house_.jobs;
        if (house_.others_are_faster) return false;
        ++mine().spare;
        return true;
    }
    bool jobs_waiting() const { return house_.jobs > 0; }

    void publish_idle(bool idle) { mine().published.idle = idle; }
    void publish_sent() {
        house_.order.emplace_back("sent");
        ++mine().published.sent;
    }
    void publish_received() { ++mine().published.received; }
    published_state published(worker_id w) const { return house_.at[w].published; }
    std::uint64_t jobs_sent() const { return house_.jobs_sent; }
    void register_idle(worker_id w) { house_.registered.insert(w); }
    void unregister_idle(worker_id w) { house_.registered.erase(w); }
    std::uint32_t registered_idle() const { return static_cast<std::uint32_t>(house_.registered.size()); }
    void set_barrier_open(bool open) { house_.barrier_open = open; }
    bool barrier_open() const { return house_.barrier_open; }
    void set_manager(worker_id w) { house_.manager = w; }
    worker_id manager() const { return house_.manager; }
    void note(event e) { house_.events.push_back(e); }

private:
    place& mine() { return house_.at[self_]; }
    std::size_t oldest(amount a) {
        const std::size_t given = a == amount::half ? (mine().spare + 1) / 2 : 1;
        mine().spare -= given;
        return given;
    }
    own_request& at(request_id r) const {
        place& thief = house_.at[thief_of(r)];
        return slot_of(r) == 0 ? thief : thief.second;
    }
    house& house_;
    worker_id self_;
};

static_assert(medium<one_thread_medium>);

}  // namespace protocol_tests
