#include <algorithm>
#include <cstddef>

#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs {

// On the papers' machine: programs.cpp, compiled with it.
namespace papers {
std::vector<program> programs_on_this_machine();
}

const std::vector<program>& all_programs() {
    static const std::vector<program> programs = [] {
        std::vector<program> all = programs_on_this_machine();
        const std::vector<program> on_papers = papers::programs_on_this_machine();
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].make.on_papers = on_papers[i].make.here;
        }
        return all;
    }();
    return programs;
}

bool agrees(const json& found, const json& known) {
    // What is not a number, JSON has as null, or compares as false.
    return known.is_object() ? found.is_number() && found.get<double>() <= known.at("at_most").get<double>()
                             : found == known;
}

const program* find_program(std::string_view name) {
    const auto& programs = all_programs();
    const auto found = std::find_if(programs.begin(), programs.end(), [&](const program& p) { return p.name == name; });
    return found == programs.end() ? nullptr : &*found;
}

const std::vector<std::string>& scheduler_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = schedulers::names();
        const std::vector<std::string> in_rust = schedulers_in_rust::names();
        all.insert(all.end() - 1, in_rust.begin(), in_rust.end());  // the last is the serial one
        return all;
    }();
    return names;
}

std::vector<std::string> schedulers_of(const program& p) {
    if (p.streams) {
        return schedulers_of_streams::names();
    }
    if (p.has_phases) {
        return schedulers_of_phases::names();
    }
    return p.is_in_rust ? scheduler_names() : schedulers::names();
}

const std::vector<std::string>& schedulers_with_splits() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        const auto add = [&all]<class S>(std::type_identity<S>) {
            for (const std::string_view split : S::splits) {
                all.push_back(std::string(S::name) + "-" + std::string(split));
            }
        };
        add(std::type_identity<parley_peers::parley>{});
        add(std::type_identity<parley_peers::deque>{});
        return all;
    }();
    return names;
}

const std::vector<std::string>& schedulers_with_futures() {
    static const std::vector<std::string> names = schedulers_of_futures::names();
    return names;
}

std::vector<std::string> schedulers_allowed_for(const program& p) {
    std::vector<std::string> all = schedulers_of(p);
    const auto add = [&all](const std::vector<std::string>& more) { all.insert(all.end(), more.begin(), more.end()); };
    if (p.has_loops) {
        add(schedulers_with_splits());
    }
    if (p.forks) {
        add(schedulers_with_futures());
    }
    all.emplace_back(scheduler_of_papers);
    return all;
}

std::string needs_of_unbuilt(std::string_view scheduler) {
    for (const parley_peers::left_out& missing : parley_peers::not_built()) {
        if (missing.name == scheduler) {
            return std::string(missing.needs);
        }
    }
    return {};
}

const std::vector<std::string>& size_names() {
    static const std::vector<std::string> names{"small", "ch", "thesis", "ch6"};
    return names;
}

}  // namespace parley_programs
