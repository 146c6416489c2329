#include "cli/suite.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/usage.hpp"

namespace parley_cli {
namespace {

using parley_programs::find_program;

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
    const std::vector<std::string>& built = parley_programs::scheduler_names();
    for (const char* scheduler : {"parley", "deque", "tbb", "openmp", "serial"}) {
        if (std::find(built.begin(), built.end(), scheduler) != built.end()) {
            s.schedulers.emplace_back(scheduler);
        }
    }
    s.workers = {1};
    if (processors > 1) {
        s.workers.push_back(processors);
    }
    return s;
}

}  // namespace

std::vector<std::string> suite_names() { return {"loops"}; }

suite suite_named(const std::string& name, unsigned processors) {
    if (name != "loops") {
        throw usage_error(fmt::format("parley bench: --suite: {} is not allowed; allowed: {}{}",
                                      shown(name), join(suite_names()),
                                      suggestion(name, suite_names())));
    }
    return loops(processors);
}

}  // namespace parley_cli
