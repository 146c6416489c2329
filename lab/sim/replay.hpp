// A run again, given by the numbers of its moves, in words.
#pragma once

#include <lab/sim/message_log.hpp>
#include <lab/sim/moves.hpp>
#include <lab/sim/schedule.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace parley::inline v0::sim {

template <class Machine, class Medium = virtual_medium, class Simulation = simulation<Machine, Medium>>
class replay {
public:
    replay(const typename Simulation::program_type& p, const settings& s, const openness& open) : open_(open), run_(p, s) {
        run_.merge_free_steps();
    }

    // Throws `violation`, and std::invalid_argument if there is no such move.
    void make(std::uint16_t number) {
        const typename Simulation::scene_type before = run_.now();
        bool was_made = false;
        each_move(
            run_, open_, [&] { run_.now() = before; },
            [&](const edge& e, const auto& step) {
                was_made = e.move == number;
                run_.remember(was_made ? everything : 0);
                (void)step();
                return !was_made;
            });
        if (!was_made) throw std::invalid_argument("there is no move " + std::to_string(number));
    }
    void make(const std::vector<std::uint16_t>& numbers) {
        for (const std::uint16_t n : numbers) make(n);
    }
    // Lets worker 0 run its first root task and then the others go on, one after the other, until all
    // of them sleep, and appends the moves to `made`. Of several choices the last: it gives up soonest.
    // Threads outside do nothing yet: what they do is to be explored.
    void make_until_others_sleep(std::vector<std::uint16_t>& made) {
        const auto go_on = [&](bool other) {
            const std::optional<edge> next = last_move(other);
            if (!next) return false;
            made.push_back(next->move);
            make(next->move);
            return true;
        };
        while (!run_.now().first_root_is_over() && go_on(false)) {}
        while (go_on(true)) {}
    }
    void check_end() const {
        if (who_can_go_on(run_.now()) == 0) run_.check_end();
    }

    [[nodiscard]] const typename Simulation::scene_type& now() const noexcept { return run_.now(); }
    [[nodiscard]] std::string text() const { return text_of(run_.history(), run_.now()); }
    [[nodiscard]] std::size_t steps() const noexcept { return run_.history().size(); }

private:
    static constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();

    std::optional<edge> last_move(bool of_another_than_0) {
        const typename Simulation::scene_type before = run_.now();
        std::optional<edge> found;
        each_move(
            run_, open_, [&] { run_.now() = before; },
            [&](const edge& e, const auto& step) {
                if (e.who < before.worker_count() && (e.who != 0) == of_another_than_0 &&
                    ready(before, e.who) == readiness::now && (!found || found->who == e.who))
                    found = e;
                run_.remember(0);
                try {
                    (void)step();
                } catch (const violation&) {  // seen again when the move is made
                }
                return true;
            });
        run_.now() = before;
        return found;
    }

    openness open_;
    Simulation run_;
};

// What has not happened in a run that goes on for ever, by what is left to do in it.
template <class Machine>
violation what_never_happens(const scene<Machine>& s) {
    const world& all = s.shared;
    for (task_id t = 0; t < all.tasks.size(); ++t)
        if (all.tasks[t].status == task_status::queued) return {"I9", "task " + std::to_string(t) + " is not run, for ever"};
    if (!all.jobs.empty()) return {"I11", "a job is not taken, for ever"};
    if (s.any_task_left()) return {"I7", "a task does not end, for ever"};
    if (all.barrier_open) return {"I4", "nothing is left to do and the barrier does not open"};
    return {"I7", "nothing is left to do and somebody goes on for ever"};
}

template <class Machine>
violation what_never_happens(const two_scenes<Machine>& s) {
    return s.first.any_task_left() ? what_never_happens(s.first) : what_never_happens(s.second);
}

// "0,2,1", and back.
inline std::string text_of_moves(const std::vector<std::uint16_t>& moves) {
    std::string text;
    for (const std::uint16_t m : moves) text += (text.empty() ? "" : ",") + std::to_string(m);
    return text;
}
inline std::vector<std::uint16_t> moves_of_text(const std::string& text) {
    std::vector<std::uint16_t> moves;
    std::istringstream in(text);
    for (std::string one; std::getline(in, one, ',');) moves.push_back(static_cast<std::uint16_t>(std::stoul(one)));
    return moves;
}

}  // namespace parley::inline v0::sim
