#include "cluster/command/repetitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace parley_cli {

void repetitions::run(parley::cluster::group& g) {
    {
        const std::scoped_lock guard(lock_);
        found_.ranks = g.ranks();
        found_.workers = g.workers();
        runs_on_ = &g;
    }
    struct leaving {
        repetitions& home;
        ~leaving() {
            const std::scoped_lock guard(home.lock_);
            home.runs_on_ = nullptr;
        }
    } const at_the_end{*this};
    const auto once = options_.by_masters ? options_.what->run_by_masters : options_.what->run;
    for (unsigned i = 0; i < options_.repeat; ++i) {
        parley_programs::cluster::outcome one = once(g, options_.parameters);
        const std::string mine = one.problem;
        {
            const std::scoped_lock guard(lock_);
            found_.runs.push_back(std::move(one));
        }
        // All of them right, or rank 0 has a word for the others'.
        const bool same = g.all_say(mine.empty() ? 0 : 1);
        if (mine.empty() && same) continue;
        const std::scoped_lock guard(lock_);
        found_.problem = mine.empty() ? "another rank's results are wrong" : mine;
        return;
    }
}

cluster_found repetitions::found() const {
    const std::scoped_lock guard(lock_);
    return found_;
}

std::string repetitions::now() const {
    const std::scoped_lock guard(lock_);
    const double seconds = std::chrono::duration<double>(clock::now() - begin_).count();
    if (runs_on_ == nullptr)
        return fmt::format("{}: {:.1f} s: {}", options_.what->name, seconds,
                           found_.runs.empty() ? "the ranks find each other" : "the ranks part");
    const std::size_t repetition = std::min<std::size_t>(found_.runs.size() + 1, options_.repeat);
    std::string text =
        fmt::format("{}: repetition {} of {}, {:.1f} s: ", options_.what->name, repetition, options_.repeat, seconds);
    const auto here = runs_on_->so_far();
    if (!here) return text + "this rank is inside MPI, where all ranks meet";
    text += fmt::format("this rank has run {} tasks ({} of other ranks), stolen {} times, ", here->counts.tasks,
                        here->counts.foreign, here->counts.steals);
    if (here->running + here->waiting > 0) return text + fmt::format("runs {}, and {} wait", here->running, here->waiting);
    return text + "and waits for the others";
}

}  // namespace parley_cli
