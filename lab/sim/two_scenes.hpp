// Two runtimes, and a thread that is worker 0 in both: a task of the first visits the second (runtime/seats.cpp), and
// where it waits there, it waits as a worker of the first (runtime/visiting.hpp). Plain values again.
//
// Agents: the workers of the first runtime, those of the second but worker 0, and the threads outside the first.
#pragma once

#include <lab/sim/scene.hpp>

#include <cstdint>

namespace parley::inline v0::sim {

struct two_programs {
    program first, second;
    // A thread outside the first runtime waits until this task of the second has begun, and
    // `hold_until_done_elsewhere` in the second waits for that task of the first.
    task_id begun = no_task, done = no_task;
};

template <class Machine>
struct two_scenes {
    two_scenes(const two_programs& p, const settings& s) : what(&p), set(s), first(p.first, s), second(p.second, s) {
        second.shared.elsewhere.is_visited = true;
        second.shared.workers[0].isolated = true;  // it takes nothing that is not its own
    }

    [[nodiscard]] std::uint32_t worker_count() const noexcept { return first.worker_count() + second.worker_count() - 1; }
    [[nodiscard]] std::uint32_t agent_count() const noexcept { return first.agent_count() + second.agent_count() - 1; }
    // Worker 0's task of the first runtime is in the second one.
    [[nodiscard]] bool is_visiting() const noexcept {
        const virtual_worker<Machine>& w = first.workers[0];
        if (w.at != point::in_code) return false;
        const frame& f = w.stack.back();
        const auto& code = first.what->tasks[f.task].code;
        return f.pc < code.size() && code[f.pc].what == action::visit;
    }
    [[nodiscard]] bool is_in_second(agent_id who) const noexcept {
        return who >= first.worker_count() && who < worker_count();
    }
    // Its number there.
    [[nodiscard]] agent_id in_second(agent_id who) const noexcept { return who - first.worker_count() + 1; }
    [[nodiscard]] agent_id in_first(agent_id who) const noexcept {
        return who < first.worker_count() ? who : who - second.worker_count() + 1;
    }
    [[nodiscard]] const agent& at(agent_id who) const noexcept {
        return is_in_second(who) ? second.at(in_second(who)) : first.at(in_first(who));
    }
    [[nodiscard]] bool first_root_is_over() const noexcept { return first.first_root_is_over(); }
    [[nodiscard]] bool all_tasks_ended() const noexcept { return first.all_tasks_ended() && second.all_tasks_ended(); }
    // The thread has left both for the last time. What is locked out for good does not count.
    [[nodiscard]] bool all_roots_ended() const noexcept {
        const auto is_over = [](const scene<Machine>& s) {
            return s.workers[0].at == point::outside && s.workers[0].visit == s.what->roots.size();
        };
        return is_over(first) && is_over(second) && is_done(first, what->done) && is_done(second, what->begun);
    }
    [[nodiscard]] bool any_task_left() const noexcept { return first.any_task_left() || second.any_task_left(); }

    static bool is_done(const scene<Machine>& s, task_id t) noexcept {
        return t == no_task || s.shared.tasks[t].status > task_status::running;
    }
    // What each runtime's agents may know of the other one.
    void look_over() {
        world& a = first.shared;
        world& b = second.shared;
        a.elsewhere.begun = b.tasks[what->begun].status > task_status::queued;
        b.elsewhere.done = is_done(first, what->done);
        const bool sleeps = b.elsewhere.sleeps_as_first;
        a.elsewhere.word = sleeps ? b.workers[0].attention & bits::waking : 0;
        a.elsewhere.owed = sleeps && anybody_tells_on();
        if (!sleeps) a.elsewhere.told = false;
        if (!b.elsewhere.passed_on) return;
        b.elsewhere.passed_on = false;
        a.elsewhere.told = true;
        member& m = a.workers[0];
        if ((m.attention & asleep_mark) != 0) m.woken = true;
        m.attention |= bits::news;
    }
    [[nodiscard]] bool anybody_tells_on() const noexcept {
        for (const auto& v : second.workers)
            if (v.tells_on || !v.log.empty()) return true;
        return false;
    }

    const two_programs* what;
    settings set;
    scene<Machine> first, second;
};

template <class Machine>
readiness ready(const two_scenes<Machine>& s, agent_id who) {
    if (s.is_in_second(who)) return ready(s.second, s.in_second(who));
    if (who == 0 && s.is_visiting()) {
        const virtual_worker<Machine>& seat = s.second.workers[0];
        const bool has_left = seat.at == point::outside && s.first.workers[0].stack.back().worked != 0;
        return has_left ? readiness::now : ready(s.second, 0);
    }
    if (who >= s.worker_count() && !s.first.shared.elsewhere.begun && s.at(who).at != point::finished)
        return readiness::never;
    return ready(s.first, s.in_first(who));
}

}  // namespace parley::inline v0::sim
