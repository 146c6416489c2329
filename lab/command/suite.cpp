#include "lab/command/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "command/usage.hpp"
#include "lab/command/chapter6.hpp"

namespace parley_cli {
namespace {

using parley_programs::find_program;

suite loops(const std::string&, unsigned processors) {
    suite s;
    s.name = "loops";
    for (const char* kind : {"FG", "CG", "RG", "IG", "DG"}) {
        s.entries.push_back({find_program("loop"), {{"kind", kind}}});
    }
    for (const char* name : {"saxpy", "sum", "dot", "mandelbrot", "nested", "triangular", "bpc-loop"}) {
        s.entries.push_back({find_program(name), {}});
    }
    compare_on(s, {"parley", "deque", "tbb", "openmp", "serial"}, processors);
    return s;
}

suite farms(const std::string&, unsigned processors) {
    suite s;
    s.name = "farms";
    for (const char* name : {"farm-uniform", "farm-fast", "farm-slow", "farm-sleep", "farm-md", "farm-pool"}) {
        s.entries.push_back({find_program(name), {}});
    }
    compare_on(s, {"parley", "tbb", "queue", "serial"}, processors);
    s.workers = {processors};
    return s;
}

struct named_suite {
    const char* name;
    suite (*make)(const std::string& size, unsigned processors);
};
constexpr std::array all_suites{named_suite{"loops", loops}, named_suite{"farms", farms}, named_suite{"chapter6", chapter6}};

}  // namespace

void compare_on(suite& s, std::initializer_list<const char*> wanted, unsigned processors) {
    const std::vector<std::string> built = parley_programs::schedulers_of(*s.entries.front().program);
    for (const char* scheduler : wanted) {
        const bool is_built = std::find(built.begin(), built.end(), scheduler) != built.end();
        (is_built ? s.schedulers : s.unbuilt).emplace_back(scheduler);
    }
    s.workers = {1};
    if (processors > 1) {
        s.workers.push_back(processors);
    }
}

std::vector<std::string> suite_names() {
    std::vector<std::string> names;
    for (const named_suite& s : all_suites) {
        names.emplace_back(s.name);
    }
    return names;
}

suite suite_named(const std::string& name, const std::string& size, unsigned processors) {
    for (const named_suite& s : all_suites) {
        if (name == s.name) {
            return s.make(size, processors);
        }
    }
    throw usage_error(fmt::format("parley bench: --suite: {} is not allowed; allowed: {}{}", shown(name),
                                  join(suite_names()), suggestion(name, suite_names())));
}

}  // namespace parley_cli
