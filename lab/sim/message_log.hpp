// The steps of a run in words, for whoever has to find out why it failed.
#pragma once

#include <lab/sim/operation.hpp>
#include <lab/sim/scene.hpp>
#include <lab/sim/world.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace parley::inline v0::sim {

struct logged_step {
    std::uint64_t number = 0;
    agent_id who = 0;
    point at{};
    entry step;
    friend bool operator==(const logged_step&, const logged_step&) = default;
};

inline const char* name_of(operation o) {
    static constexpr const char* names[] = {"send_request",
                                            "receive_request",
                                            "open_mailbox",
                                            "close_mailbox",
                                            "state",
                                            "set_state",
                                            "claim",
                                            "set_wish",
                                            "wish",
                                            "may_travel",
                                            "take_off",
                                            "land",
                                            "deposit",
                                            "take_resting",
                                            "lobby_empty",
                                            "attention",
                                            "lower",
                                            "raise",
                                            "raise_and_wake",
                                            "prepare_to_sleep",
                                            "cancel_sleep",
                                            "spare",
                                            "tasks_run",
                                            "send_tasks",
                                            "receive_tasks",
                                            "tasks_arrived",
                                            "take_answer",
                                            "take_answer_back",
                                            "victim_of",
                                            "take_job",
                                            "jobs_waiting",
                                            "draw_job",
                                            "put_back_job",
                                            "hand_over_job",
                                            "publish_idle",
                                            "publish_sent",
                                            "publish_received",
                                            "published",
                                            "jobs_sent",
                                            "register_idle",
                                            "unregister_idle",
                                            "registered_idle",
                                            "send_nothing",
                                            "send_message",
                                            "receive_message",
                                            "set_taker",
                                            "taker",
                                            "set_goes_on",
                                            "goes_on",
                                            "load_tasks",
                                            "unload_tasks",
                                            "is_loaded",
                                            "set_barrier_open",
                                            "barrier_open",
                                            "set_manager",
                                            "manager",
                                            "spawn",
                                            "begin",
                                            "finish",
                                            "drop",
                                            "poll",
                                            "work",
                                            "look",
                                            "sleep",
                                            "count_job",
                                            "send_job",
                                            "start_threads",
                                            "resize",
                                            "come_in",
                                            "go_out",
                                            "announce",
                                            "complete",
                                            "lock",
                                            "unlock",
                                            "lend",
                                            "take_back",
                                            "pass_on",
                                            "sleep_there",
                                            "wake_there",
                                            "finished"};
    static_assert(std::size(names) == operation_kinds);
    return names[static_cast<std::size_t>(o)];
}

inline std::string name_of_status(std::uint8_t status) {
    static constexpr const char* names[] = {"", ", early", ", registered", ", satisfied", ", update", ", update with root"};
    return names[status];
}

inline const char* name_of(point p) {
    static constexpr const char* names[] = {"unstarted",
                                            "outside",
                                            "entering",
                                            "in code",
                                            "serving",
                                            "telling",
                                            "between tasks",
                                            "serving between tasks",
                                            "opening barrier",
                                            "closing barrier",
                                            "looking",
                                            "taking",
                                            "asking early",
                                            "beginning",
                                            "paying",
                                            "calling back",
                                            "seeking",
                                            "resting",
                                            "retaking",
                                            "falling asleep",
                                            "looking again",
                                            "looking for jobs",
                                            "wanting jobs",
                                            "committing",
                                            "asleep",
                                            "rising",
                                            "waking up",
                                            "withdrawing",
                                            "paying out",
                                            "uncancelling",
                                            "handing on",
                                            "counting job",
                                            "sending job",
                                            "relaying",
                                            "leaving",
                                            "staying away",
                                            "coming back",
                                            "serving while away",
                                            "stopping",
                                            "cancelling",
                                            "resizing",
                                            "waking waiters",
                                            "locked out",
                                            "serving alone",
                                            "withdrawing alone",
                                            "receiving late",
                                            "lending",
                                            "calling stand-ins",
                                            "serving to block",
                                            "withdrawing to block",
                                            "taking back",
                                            "calling back stand-ins",
                                            "entering again",
                                            "finished"};
    static_assert(std::size(names) == static_cast<std::size_t>(point::finished) + 1);
    return names[static_cast<std::size_t>(p)];
}

inline const char* name_of(protocol::request_state s) {
    static constexpr const char* names[] = {"home", "circulating", "resting", "taken"};
    return names[static_cast<std::size_t>(s)];
}

inline std::string names_of(bits::word set) {
    static constexpr const char* names[] = {"mail",   "lobby", "tasks", "news",   "scan",       "released", "stop",
                                            "cancel", "start", "jobs",  "refill", "wants jobs", "message"};
    std::string text;
    for (std::size_t i = 0; i < std::size(names); ++i)
        if ((set >> i & 1u) != 0) text += (text.empty() ? "" : "+") + std::string(names[i]);
    if ((set & asleep_mark) != 0) text += text.empty() ? "asleep" : "+asleep";
    return text.empty() ? "none" : text;
}

namespace detail {

inline std::string number(std::uint64_t n) { return std::to_string(n); }

// What the step was about, and its result.
inline std::string in_words(const entry& e) {
    const std::string about = number(e.about), detail = number(e.detail);
    const std::string yes = e.result.yes ? " -> yes" : " -> no";
    const auto state = [](std::uint64_t s) { return std::string(name_of(static_cast<protocol::request_state>(s))); };
    switch (e.what) {
        case operation::send_request: return "to " + about + ", request " + detail + yes;
        case operation::send_message: return "to " + about + ", request " + detail;
        case operation::receive_message:
        case operation::receive_request:
            if (!e.result.yes) return "-> none";
            return "-> request " + number(byte(e.result.x, 0)) + ", hop " + number(byte(e.result.x, 3)) +
                   name_of_status(byte(e.result.x, 4));
        case operation::state: return "of request " + about + " -> " + state(e.result.x);
        case operation::set_state: return "of request " + about + ": " + state(e.detail);
        case operation::claim: return "request " + about + " as " + state(e.detail) + yes;
        case operation::take_resting: return e.result.yes ? "-> request " + number(e.result.x) : "-> none";
        case operation::attention: return "-> " + names_of(low_word(e.result.x));
        case operation::lower:
        case operation::raise:
        case operation::raise_and_wake: return names_of(e.detail) + " of " + about;
        case operation::take_off: return "request " + about + ", order of victims " + number(e.result.x);
        case operation::poll:
            if (e.about == no_task) return "between tasks, sees " + names_of(e.detail);
            [[fallthrough]];
        case operation::spawn: return "task " + about + ", sees " + names_of(e.detail);
        case operation::sleep: return std::string(e.result.yes ? "yes" : "not yet") + ", word " + names_of(e.detail);
        case operation::published:
            return "of " + about + " -> " + (e.result.yes ? "idle" : "active") + ", sent " + number(e.result.x) +
                   ", received " + number(e.result.y);
        case operation::draw_job: return e.result.yes ? "-> task " + number(e.result.x) : "-> none";
        case operation::put_back_job: return "task " + detail;
        case operation::hand_over_job: return "task " + detail + " to request " + about;
        case operation::count_job:
        case operation::send_job:
        case operation::come_in: return "task " + detail;
        case operation::begin:
        case operation::finish:
        case operation::drop:
        case operation::complete:
        case operation::work: return "task " + about;
        case operation::announce: return "for task " + about + yes;
        case operation::lock: return about + yes;
        case operation::lend:
        case operation::take_back: return "places lent: " + detail;
        case operation::jobs_sent:
        case operation::spare:
        case operation::tasks_run: return "-> " + number(e.result.x);
        case operation::set_taker: return "of request " + about + ": " + detail;
        case operation::taker: return "of request " + about + " -> " + number(e.result.x);
        case operation::publish_idle:
        case operation::set_barrier_open: return e.detail != 0 ? "yes" : "no";
        default: return about + (e.result.yes ? " -> yes" : " -> no");
    }
}

}  // namespace detail

inline std::ostream& operator<<(std::ostream& out, const logged_step& l) {
    return out << '#' << l.number << "  agent " << l.who << "  " << name_of(l.at) << ":  " << name_of(l.step.what) << ' '
               << detail::in_words(l.step) << '\n';
}

// Where everything is.
template <class Machine>
void describe(std::ostream& out, const scene<Machine>& s) {
    const world& all = s.shared;
    for (std::uint32_t w = 0; w < s.worker_count(); ++w) {
        const member& m = all.workers[w];
        out << "worker " << w << ": " << name_of(s.workers[w].at) << ", word " << names_of(m.attention);
        for (std::uint32_t slot = 0; slot < m.requests.size(); ++slot) {
            const own_request& r = m.requests[slot];
            out << ", request " << name_of(r.state)
                << ((all.lobby & bit_of(protocol::request_of(w, slot))) != 0 ? " in the lobby" : "")
                << (r.letter_away ? " (letter away)" : "") << ", answer " << r.answer.size();
            if (!r.load.empty()) out << ", load " << r.load.size();
        }
        out << ", deque " << m.deque.size() << ", mailbox " << m.letters.letters.size()
            << (m.letters.open ? "" : " (closed)") << (m.standing.idle ? ", idle" : "") << ", sent " << m.standing.sent
            << ", received " << m.standing.received << "; stack";
        for (const frame& f : s.workers[w].stack) {
            static constexpr const char* kinds[] = {"task",       "join of",    "barrier",
                                                    "until stop", "until done", "until woken elsewhere"};
            out << " [" << kinds[static_cast<std::size_t>(f.kind)];
            if (f.task != no_task) out << ' ' << f.task;
            out << ']';
        }
        out << '\n';
    }
    for (std::size_t i = 0; i < s.outsiders.size(); ++i)
        out << "outsider " << s.worker_count() + i << ": " << name_of(s.outsiders[i].at) << '\n';
    out << "jobs waiting " << all.jobs.size() << ", sent " << all.jobs_sent << "; barrier "
        << (all.barrier_open ? "open" : "closed") << "; tasks not done:";
    for (task_id t = 0; t < all.tasks.size(); ++t)
        if (all.tasks[t].status == task_status::queued || all.tasks[t].status == task_status::running) out << ' ' << t;
    out << '\n';
}

// Both: what led here, and where everything is.
template <class History, class Scene>
std::string text_of(const History& steps, const Scene& s) {
    std::ostringstream out;
    for (const logged_step& l : steps) out << l;
    describe(out, s);
    return out.str();
}

}  // namespace parley::inline v0::sim
