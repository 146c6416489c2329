#include "cli/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "cli/usage.hpp"

namespace parley_cli {
namespace {

using parley_programs::find_program;

// Those of this build.
std::vector<std::string> built_of(std::initializer_list<const char*> wanted, const parley_programs::program& p) {
    const std::vector<std::string> built = parley_programs::schedulers_of(p);
    std::vector<std::string> found;
    for (const char* scheduler : wanted) {
        if (std::find(built.begin(), built.end(), scheduler) != built.end()) {
            found.emplace_back(scheduler);
        }
    }
    return found;
}

suite loops(unsigned processors) {
    suite s;
    s.name = "loops";
    for (const char* kind : {"FG", "CG", "RG", "IG", "DG"}) {
        s.entries.push_back({find_program("loop"), {{"kind", kind}}});
    }
    for (const char* name :
         {"saxpy", "sum", "dot", "mandelbrot", "nested", "triangular", "bpc-loop"}) {
        s.entries.push_back({find_program(name), {}});
    }
    s.schedulers = built_of({"parley", "deque", "tbb", "openmp", "serial"}, *s.entries.front().program);
    s.workers = {1};
    if (processors > 1) {
        s.workers.push_back(processors);
    }
    return s;
}

suite farms(unsigned processors) {
    suite s;
    s.name = "farms";
    for (const char* name :
         {"farm-uniform", "farm-fast", "farm-slow", "farm-sleep", "farm-md", "farm-pool"}) {
        s.entries.push_back({find_program(name), {}});
    }
    s.schedulers = built_of({"parley", "tbb", "queue", "serial"}, *s.entries.front().program);
    s.workers = {processors};
    return s;
}

struct named_suite {
    const char* name;
    suite (*make)(unsigned processors);
};
constexpr std::array all_suites{named_suite{"loops", loops}, named_suite{"farms", farms}};

}  // namespace

std::vector<std::string> suite_names() {
    std::vector<std::string> names;
    for (const named_suite& s : all_suites) {
        names.emplace_back(s.name);
    }
    return names;
}

suite suite_named(const std::string& name, unsigned processors) {
    for (const named_suite& s : all_suites) {
        if (name == s.name) {
            return s.make(processors);
        }
    }
    throw usage_error(fmt::format("parley bench: --suite: {} is not allowed; allowed: {}{}", shown(name),
                                  join(suite_names()), suggestion(name, suite_names())));
}

}  // namespace parley_cli
