#include "lab/command/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

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
    for (const char* name : {"saxpy", "sum", "dot", "mandelbrot", "nested", "triangular", "bpc-loop", "empty-loop", "phases",
                             "stencil", "n-body"}) {
        s.entries.push_back({find_program(name), {}});
    }
    compare_on(s, {"parley", "deque", "tbb", "openmp", "serial"}, processors);
    return s;
}

// Loops of some microseconds, one after another, from a cache's worth of elements to more than a core's caches have.
suite phases(const std::string&, unsigned processors) {
    suite s;
    s.name = "phases";
    const auto add = [&s](const char* workload, const char* name, std::map<std::string, std::string> given) {
        s.entries.push_back({find_program(name), std::move(given), workload});
    };
    add("empty loop", "empty-loop", {});
    add("memory 80 KB", "phases", {{"n", "20000"}, {"passes", "20000"}});
    add("memory 800 KB", "phases", {{"n", "200000"}, {"passes", "2000"}});
    add("memory 8 MB", "phases", {{"n", "2000000"}, {"passes", "200"}});
    add("compute 100 x 50 ns", "phases", {{"kind", "compute"}, {"n", "100"}, {"passes", "10000"}});
    add("compute 1000 x 50 ns", "phases", {{"kind", "compute"}});
    add("stencil", "stencil", {});
    add("n-body", "n-body", {});
    compare_on(s, {"parley", "deque", "tbb", "tbb-affinity", "openmp", "openmp-region", "rayon"}, processors);
    return s;
}

// What shows how well work spreads over many cores, each beside those that are best at it: some minutes, whatever the
// machine.
suite many_cores(const std::string&, unsigned processors) {
    suite s;
    s.name = "many-cores";
    const auto add = [&s](const char* workload, const char* name, std::map<std::string, std::string> given,
                          std::vector<std::string> schedulers) {
        s.entries.push_back({find_program(name), std::move(given), workload, std::move(schedulers)});
    };
    const std::vector<std::string> of_loops{"parley", "tbb", "openmp"};
    add("CG", "loop", {{"kind", "CG"}}, of_loops);
    for (const char* name : {"saxpy", "sum", "dot", "mandelbrot"}) {
        add(name, name, {}, of_loops);
    }
    add("bpc-loop", "bpc-loop", {}, {"parley", "deque", "tbb", "openmp"});
    add("empty loop", "empty-loop", {}, {"parley", "deque", "tbb", "openmp", "rayon"});
    add("fib 33", "fib", {{"n", "33"}}, {"parley", "deque", "rayon", "chili"});
    add("nqueens 14", "nqueens", {{"n", "14"}}, {"parley", "deque", "chili"});
    add("skynet, loops", "skynet", {{"form", "loops"}, {"depth", "8"}}, {"parley"});
    add("skynet, scopes", "skynet", {{"form", "scopes"}, {"depth", "8"}}, {"parley", "deque"});
    compare_on(s, {"parley", "deque", "tbb", "openmp", "rayon", "chili"}, processors);
    s.workers = {processors};
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
constexpr std::array all_suites{named_suite{"loops", loops}, named_suite{"phases", phases},
                                named_suite{"many-cores", many_cores}, named_suite{"farms", farms},
                                named_suite{"chapter6", chapter6}};

}  // namespace

void compare_on(suite& s, std::initializer_list<const char*> wanted, unsigned processors) {
    for (const char* scheduler : wanted) {
        const bool is_built = std::any_of(s.entries.begin(), s.entries.end(), [scheduler](const bench_entry& e) {
            const std::vector<std::string> built = parley_programs::schedulers_of(*e.program);
            return std::find(built.begin(), built.end(), scheduler) != built.end();
        });
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
