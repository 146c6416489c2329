#include <fmt/format.h>

#include <algorithm>

#include "command/usage.hpp"
#include "lab/programs/program.hpp"

namespace parley_cli {

std::string complaint_about_scheduler(const std::string& name) {
    const std::vector<std::string>& built = parley_programs::scheduler_names();
    if (std::find(built.begin(), built.end(), name) != built.end()) {
        return {};
    }
    const std::string needs = parley_programs::needs_of_unbuilt(name);
    return needs.empty() ? fmt::format("{} is not allowed; allowed: {}{}", shown(name), join(built), suggestion(name, built))
                         : fmt::format("{} was not built: it needs {}; built: {}", shown(name), needs, join(built));
}

std::string complaint_about_scheduler(const std::string& name, const parley_programs::program& on_it) {
    const std::vector<std::string> allowed = parley_programs::schedulers_allowed_for(on_it);
    const auto is_one_of = [&name](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (is_one_of(allowed)) {
        return {};
    }
    if (is_one_of(parley_programs::schedulers_with_splits())) {
        return fmt::format("{} is for programs that have loops, and {} has none; allowed: {}", shown(name), on_it.name,
                           join(allowed));
    }
    if (is_one_of(parley_programs::schedulers_with_futures())) {
        return fmt::format("{} is for programs that fork, and {} does not; allowed: {}", shown(name), on_it.name,
                           join(allowed));
    }
    if (parley_programs::needs_of_unbuilt(name).empty() && !is_one_of(parley_programs::scheduler_names())) {
        return fmt::format("{} is not allowed; allowed: {}{}", shown(name), join(allowed), suggestion(name, allowed));
    }
    const std::string complaint = complaint_about_scheduler(name);
    return complaint.empty() ? fmt::format(
                                   "{} runs only programs that are written for it in Rust, and {} is "
                                   "not; allowed: {}",
                                   shown(name), on_it.name, join(allowed))
                             : complaint;
}

}  // namespace parley_cli
