// Jobs of programs that consist of loops. Schedulers may divide a loop in several ways: some offer them under
// names of their own, and OpenMP, where the choice is the user's, tries them and keeps the best.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "lab/peers/list.hpp"
#include "lab/programs/job_of.hpp"

namespace parley_programs::inline v0 {

template <class S>
concept is_tuned = requires(typename S::pool& pool) { pool.candidates(); };

template <class S, template <class> class Kernel>
class loop_job_of final : public job_of<S, Kernel> {
public:
    loop_job_of(const json& parameters, const parley_peers::setup& setup)
        : job_of<S, Kernel>(parameters, setup), split_(setup.split) {}

    timed_result run() override {
        if constexpr (is_tuned<S>) {
            if (tuning_.empty()) tune();
        }
        return job_of<S, Kernel>::run();
    }

    json tuning() const override {
        if constexpr (is_tuned<S>) return tuning_;
        if constexpr (requires { this->pool_.split(); }) return {{"split", this->pool_.split()}};
        json all = job_of<S, Kernel>::tuning();
        if (!split_.empty()) all["split"] = split_;
        return all;
    }

private:
    // Each once, then the fastest few again: what disturbs a run makes it longer, so the shortest counts.
    void tune() {
        const auto all = this->pool_.candidates();
        struct trial {
            typename decltype(all)::value_type candidate;
            double seconds;
        };
        constexpr std::size_t finalists = 4;
        constexpr int rounds_of_finalists = 2;
        std::vector<trial> trials;
        const auto time = [this](const auto& candidate) {
            this->pool_.choose(candidate);
            return job_of<S, Kernel>::run().seconds;
        };
        const auto faster = [](const trial& a, const trial& b) { return a.seconds < b.seconds; };
        for (const auto& candidate : all) {
            trials.push_back({candidate, all.size() > 1 ? time(candidate) : 0.0});
        }
        std::sort(trials.begin(), trials.end(), faster);
        trials.resize(std::min(trials.size(), finalists));
        for (int round = 0; all.size() > 1 && round < rounds_of_finalists; ++round) {
            for (trial& t : trials) t.seconds = std::min(t.seconds, time(t.candidate));
        }
        const trial best = *std::min_element(trials.begin(), trials.end(), faster);
        this->pool_.choose(best.candidate);
        tuning_ = {{"schedule", this->pool_.in_words(best.candidate)}};
        if (const std::string wait = this->pool_.wait_policy(); !wait.empty()) tuning_["wait"] = wait;
    }

    std::string split_;
    json tuning_ = json::object();
};

// A program's make() is make_loop_job<its kernel>; `scheduler` may have one of its splits behind a hyphen.
template <template <class> class Kernel, class List = parley_peers::built_for_loops>
std::unique_ptr<job> make_loop_job(const json& parameters, std::string_view scheduler, const parley_peers::setup& setup) {
    const std::size_t hyphen = std::min(scheduler.find('-'), scheduler.size());
    const std::vector<std::string>& with_splits = schedulers_with_splits();
    if (hyphen < scheduler.size() && std::find(with_splits.begin(), with_splits.end(), scheduler) == with_splits.end()) {
        throw std::invalid_argument("no scheduler '" + std::string(scheduler) + "'");
    }
    parley_peers::setup with_split = setup;
    with_split.split = scheduler.substr(std::min(hyphen + 1, scheduler.size()));
    return scheduler_list<List>::template make<Kernel, loop_job_of>(parameters, scheduler.substr(0, hyphen), with_split);
}

// Or this one, for programs of many short loops: for them some schedulers have more than one form.
template <template <class> class Kernel>
std::unique_ptr<job> make_phases_job(const json& parameters, std::string_view scheduler, const parley_peers::setup& setup) {
    using parley_peers::built_for_phases;
    std::unique_ptr<job> made = scheduler_list<built_for_phases>::find<Kernel, loop_job_of>(parameters, scheduler, setup);
    return made ? std::move(made) : make_loop_job<Kernel, built_for_phases>(parameters, scheduler, setup);
}

}  // namespace parley_programs::inline v0
