// Two runtimes of virtual workers, every step checked in both: what simulation is for one.
#pragma once

#include <lab/sim/invariants.hpp>
#include <lab/sim/schedule.hpp>
#include <lab/sim/two_scenes.hpp>
#include <lab/sim/worker_driver.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <ostream>

namespace parley::inline v0::sim {

template <class Machine, class Medium = virtual_medium>
class two_simulations final : watcher {
public:
    using program_type = two_programs;
    using scene_type = two_scenes<Machine>;

    two_simulations(const two_programs& p, const settings& s)
        : now_(p, s), first_checks_(now_.first), second_checks_(now_.second) {}
    two_simulations(const two_simulations&) = delete;
    two_simulations& operator=(const two_simulations&) = delete;

    bool step(agent_id who, std::uint32_t budget, chooser& decide) {
        const driving d{budget, decide, *this, merges_};
        do {
            who_ = who;
            is_in_second_ = now_.is_in_second(who);
            if (is_in_second_) worker_driver<Medium, Machine>(now_.second, now_.in_second(who), d).step();
            else if (who >= now_.worker_count())
                outsider_driver<Medium, Machine>(now_.first, who - now_.worker_count(), d).step();
            else if (who == 0 && now_.is_visiting()) visit(d);
            else worker_driver<Medium, Machine>(now_.first, who, d).step();
            if (Medium::looks_at_relay_first()) remember_relay(who);
            now_.look_over();
            if (Medium::looks_only_where_told() && !now_.first.shared.elsewhere.told) now_.first.shared.elsewhere.word = 0;
            first_checks_.state();
            second_checks_.state();
        } while (budget > 0 && ready(now_, who) == readiness::now);
        return false;
    }
    void merge_free_steps() noexcept { merges_ = true; }
    // Nobody can go on, and something is left to do in one of them.
    void check_end() const {
        if (!now_.all_roots_ended()) violated("I8", "two runtimes wait for each other for ever");
    }

    [[nodiscard]] two_scenes<Machine>& now() noexcept { return now_; }
    [[nodiscard]] const two_scenes<Machine>& now() const noexcept { return now_; }
    void remember(std::size_t steps) noexcept { remembered_ = steps; }
    [[nodiscard]] const std::deque<logged_step>& history() const noexcept { return history_; }

private:
    // A step of the thread that is in both, in the second runtime or on the way from one to the other.
    void visit(const driving& d) {
        world& there = now_.second.shared;
        virtual_worker<Machine>& here = now_.first.workers[0];
        virtual_worker<Machine>& seat = now_.second.workers[0];
        is_in_second_ = true;
        frame& f = here.stack.back();
        if (there.elsewhere.sleeps_as_first) {  // it has waited long enough as a worker of the first
            there.elsewhere.sleeps_as_first = false;
            seat.at = point::waking_up;
            did(d, operation::wake_there);
        } else if (seat.at == point::outside && f.worked != 0) {
            f.worked = 0;
            ++f.pc;
            did(d, operation::go_out);
        } else if (seat.at == point::committing && Medium::sleeps_as_first_worker()) {
            there.elsewhere.sleeps_as_first = true;
            here.blocks = false;
            here.stack.push_back({.kind = frame_kind::visit});
            here.at = point::entering_again;
            did(d, operation::sleep_there);
        } else {
            f.worked = 1;
            worker_driver<Medium, Machine>(now_.second, 0, d).step();
        }
    }
    void did(const driving& d, operation what) {
        if (d.budget > 0) --d.budget;
        ++now_.second.shared.step;
        saw(0, {.what = what, .about = 0, .detail = 0, .result = {}});
    }
    // Before its next step.
    void remember_relay(agent_id who) {
        if (is_in_second_ && who != 0)
            now_.second.workers[now_.in_second(who)].saw_relay = now_.second.shared.elsewhere.sleeps_as_first;
    }

    void saw(agent_id, const entry& e) override {
        if (remembered_ > 0) {
            history_.push_back({now_.first.shared.step + now_.second.shared.step, who_, now_.at(who_).at, e});
            if (history_.size() > remembered_) history_.pop_front();
        }
        (is_in_second_ ? second_checks_ : first_checks_).after(e);
    }

    two_scenes<Machine> now_;
    invariants<Machine> first_checks_, second_checks_;
    agent_id who_ = 0;
    bool is_in_second_ = false;
    bool merges_ = false;
    std::size_t remembered_ = 0;
    std::deque<logged_step> history_;
};

template <class Machine>
void describe(std::ostream& out, const two_scenes<Machine>& s) {
    out << "the first runtime:\n";
    describe(out, s.first);
    out << "the second runtime:\n";
    describe(out, s.second);
}

}  // namespace parley::inline v0::sim
