// What every agent is doing, beside the world that they share. Plain values again.
#pragma once

#include <lab/sim/agent.hpp>
#include <lab/sim/operation.hpp>
#include <lab/sim/program.hpp>
#include <lab/sim/strategies.hpp>
#include <lab/sim/world.hpp>
#include <parley/detail/base/completion_word.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parley::inline v0::sim {

// Suspended: has left the others, and its thread sleeps until it comes back.
template <class Machine>
bool is_away(const Machine& m) noexcept {
    if constexpr (requires { m.is_away(); }) return m.is_away();
    else return false;
}

template <class Machine>
struct virtual_worker : agent {
    explicit virtual_worker(const Machine& m) : machine(m) {}

    Machine machine;  // as it was at the beginning of the handler
    std::vector<frame> stack;
    protocol::asking asks = protocol::asking::as_strategy;
    bool goes = false;             // it has seen that it is to go, in this turn
    task_id chosen = no_task;      // taken out of the deque, not begun
    task_id news_group = no_task;  // whose waiter has not been told yet that one of its tasks ended
    std::uint32_t visit = 0;       // worker 0: how many root tasks it has begun
    bool has_left = false;         // worker 0: only the tasks in its deque remain
    bool waits_alone = false;      // this turn is one in an isolated region
    handing hands_on = handing::to_go;
    bool lends = false;   // its place
    bool blocks = false;  // it is in a blocking region

    // Asleep for a limited time: it asks for nothing (see protocol::asking). Not in an isolated region: what it waits
    // for will tell.
    [[nodiscard]] bool sleeps_briefly() const noexcept {
        return asks == protocol::asking::nothing && !goes && !waits_alone && !is_away(machine);
    }
    friend bool operator==(const virtual_worker&, const virtual_worker&) = default;
};

struct outsider : agent {
    std::uint32_t errand = 0;
    std::uint32_t waited = 0;  // of the errand's delay
    friend bool operator==(const outsider&, const outsider&) = default;
};

struct settings {
    std::uint32_t workers = 2;
    std::uint32_t stand_ins = 0;
    std::uint64_t seed = 0;  // of the workers' own random choices
    // Before it ends the runtime, worker 0 stays outside until the others have done everything.
    bool patient_end = false;
    // Of workers whose type leaves them open; when workers ask ahead of time, of all.
    strategies how = {};
    // Workers 2 and up come into being only when this task has begun.
    task_id others_start_after = no_task;
    // A worker without tasks may take back what it has sent and its thief has not begun.
    bool takes_back = false;
    friend bool operator==(const settings&, const settings&) = default;
};

template <class Machine>
struct scene {
    scene(const program& p, const settings& s) : what(&p), set(s) {
        shared.workers.resize(s.workers + s.stand_ins);
        shared.workers[0].letters.open = false;  // nobody's victim outside (I11)
        if (s.workers > 1) shared.workers[0].attention = bits::start;
        shared.tasks.resize(p.tasks.size());
        shared.jobs_may_come = may_have_jobs(p);
        shared.resizes = may_resize(p);
        shared.takes_back = s.takes_back;
        shared.manager = protocol::manager_of(s.workers);
        shared.size = shared.active = s.workers;
        shared.locks.resize(p.locks);
        for (std::uint32_t w = 0; w < s.workers + s.stand_ins; ++w) {
            workers.emplace_back(make_machine(w, s));
            shared.workers[w].requests.resize(workers[w].machine.requests());
            if (w > 0) workers[w].at = point::unstarted;
            if (w >= s.workers) begin_away(w);
        }
        shared.circulates = workers[0].machine.circulates();
        outsiders.resize(p.outsiders.size());
        for (std::size_t i = 0; i < outsiders.size(); ++i)
            if (p.outsiders[i].list.empty()) outsiders[i].at = point::finished;
        shared.owed.resize(workers.size() + outsiders.size());
    }

    [[nodiscard]] std::uint32_t worker_count() const noexcept { return static_cast<std::uint32_t>(workers.size()); }
    [[nodiscard]] std::uint32_t agent_count() const noexcept {
        return static_cast<std::uint32_t>(workers.size() + outsiders.size());
    }
    [[nodiscard]] const agent& at(agent_id who) const noexcept {
        if (who < workers.size()) return workers[who];
        return outsiders[who - workers.size()];
    }
    [[nodiscard]] bool outsiders_finished() const noexcept {
        for (const outsider& o : outsiders)
            if (o.at != point::finished) return false;
        return true;
    }
    [[nodiscard]] bool is_root(task_id t) const noexcept {
        for (const task_id r : what->roots)
            if (r == t) return true;
        return false;
    }
    // All of the program's tasks have ended, root tasks aside; these too if there are no others.
    [[nodiscard]] bool all_tasks_ended() const noexcept {
        if (shared.tasks.size() == what->roots.size())
            return workers[0].at == point::outside && workers[0].visit == what->roots.size();
        for (task_id t = 0; t < shared.tasks.size(); ++t)
            if (shared.tasks[t].status <= task_status::running && !is_root(t)) return false;
        return true;
    }
    [[nodiscard]] bool first_root_is_over() const noexcept {
        return workers[0].at == point::outside && workers[0].visit != 0;
    }
    // Those have, too, and stand-ins have gone: only the end of the runtime is left.
    [[nodiscard]] bool all_roots_ended() const noexcept {
        if (workers[0].at != point::outside || workers[0].visit != what->roots.size() || any_task_left()) return false;
        for (std::uint32_t w = shared.size; w < worker_count(); ++w)
            if (!is_away(workers[w].machine)) return false;
        return outsiders_finished();
    }
    // Tasks that are queued or run, root tasks aside.
    [[nodiscard]] bool any_task_left() const noexcept {
        for (task_id t = 0; t < shared.tasks.size(); ++t) {
            const task_status s = shared.tasks[t].status;
            if ((s == task_status::queued || s == task_status::running) && !is_root(t)) return true;
        }
        return false;
    }

    // A stand-in is suspended until a place is lent.
    void begin_away(std::uint32_t w) {
        shared.workers[w].letters.open = false;
        workers[w].stack.push_back({.kind = frame_kind::stop});
        workers[w].at = point::staying_away;
    }
    static Machine make_machine(std::uint32_t w, const settings& s) {
        const std::uint64_t seed = s.seed * 1'000'003 + w;
        if constexpr (std::constructible_from<Machine, std::uint32_t, std::uint32_t, std::uint64_t, strategies>)
            return Machine(w, s.workers, seed, s.how);
        else return Machine(w, s.workers, seed);
    }

    // From outside, or because a root task leaves some behind that nobody awaits.
    static bool may_have_jobs(const program& p) noexcept {
        std::size_t awaited = 0;
        for (const task_program& t : p.tasks) {
            awaited += t.awaited_by != no_task ? 1 : 0;
            for (const instruction& i : t.code)  // it hands on what it has
                if (i.what == action::block || i.what == action::isolate) return true;
        }
        return !p.outsiders.empty() || awaited + p.roots.size() != p.tasks.size();
    }

    static bool may_resize(const program& p) noexcept {
        for (const errands& o : p.outsiders)
            for (const errands::one& e : o.list)
                if (e.what == errand::resize) return true;
        return false;
    }

    const program* what;
    settings set;
    world shared;
    std::vector<virtual_worker<Machine>> workers;
    std::vector<outsider> outsiders;
};

// What a wait loop waits for.
template <class Machine>
bool holds(const scene<Machine>& s, protocol::worker_id w, const frame& f) {
    switch (f.kind) {
        case frame_kind::join: return s.shared.tasks[f.task].awaited == 0;
        case frame_kind::barrier: return (s.shared.workers[w].attention & bits::released) != 0;
        case frame_kind::stop: return (s.shared.workers[w].attention & bits::stop) != 0;
        case frame_kind::visit: return s.shared.elsewhere.word != 0;
        case frame_kind::await: return s.shared.tasks[f.task].waiters == parley::base::completion_word::done;
        case frame_kind::task: break;
    }
    return false;
}

// Asleep: a worker that is to go, and looks now and then whether a job needs it.
template <class Machine>
bool looks_after_jobs(const scene<Machine>& s, protocol::worker_id w) noexcept {
    const virtual_worker<Machine>& me = s.workers[w];
    return (me.goes || is_away(me.machine)) && (s.shared.workers[w].attention & bits::wants_jobs) == 0;
}

// Whether an agent can make a step now, and if not at once, what it takes.
enum class readiness : std::uint8_t { never, if_disturbed, when_time_is_up, now };

template <class Machine>
bool is_late(const scene<Machine>& s, agent_id who) {
    const task_id awaited = s.set.others_start_after;
    return who > 1 && awaited != no_task && s.shared.tasks[awaited].status <= task_status::queued;
}

// By a worker that is locked out.
template <class Machine>
std::uint32_t lock_wanted(const scene<Machine>& s, protocol::worker_id w) {
    const frame& f = s.workers[w].stack.back();
    return s.what->tasks[f.task].code[f.pc].operand;
}

template <class Machine>
readiness ready(const scene<Machine>& s, agent_id who) {
    const auto now_if = [](bool yes) { return yes ? readiness::now : readiness::never; };
    const agent& a = s.at(who);
    if (a.at == point::finished) return readiness::never;
    if (who >= s.workers.size()) return readiness::now;
    const virtual_worker<Machine>& me = s.workers[who];
    switch (me.at) {
        case point::unstarted: return now_if(s.shared.threads_started && !is_late(s, who));
        case point::outside:
            if (me.visit < s.what->roots.size()) return readiness::now;
            // With one worker left nobody else does anything.
            return now_if(s.outsiders_finished() &&
                          (!s.set.patient_end || std::min(s.shared.active, s.shared.size) <= 1 || !s.any_task_left()));
        case point::uncancelling:
            for (const outsider& o : s.outsiders)
                if (o.at == point::cancelling) return readiness::never;
            return readiness::now;
        case point::locked_out: return now_if(!s.shared.locks[lock_wanted(s, who)]);
        case point::asleep:
            if (s.shared.workers[who].woken) return readiness::now;
            return me.sleeps_briefly() || looks_after_jobs(s, who) ? readiness::when_time_is_up : readiness::if_disturbed;
        default: return readiness::now;
    }
}

}  // namespace parley::inline v0::sim
