#include "lab/command/chapter6.hpp"

#include <fmt/format.h>

#include <array>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

struct form {
    const char* name;
    std::map<std::string, std::string> options;
};
struct workload {
    const char* program;
    form small;
    form of_the_thesis;
};

// Where the thesis splits tasks (SPC and BPC: sections 6.3 and 6.4; MM: section 6.8), a loop stands for the task that
// is split. Small ones take a second at most on any scheduler and have the same tasks, but fewer: BPC as many producers as
// each has consumers, matrices the same blocks, UTS the small tree of the same law.
const std::array<workload, 21>& workloads() {
    static const std::array<workload, 21> all{{
        {"loop",
         {"SPC 1 us", {{"kind", "FG"}, {"n", "400000"}, {"t", "1"}}},
         {"SPC 1 us", {{"kind", "FG"}, {"n", "1000000"}, {"t", "1"}}}},
        {"loop",
         {"SPC 10 us", {{"kind", "FG"}, {"n", "40000"}, {"t", "10"}}},
         {"SPC 10 us", {{"kind", "FG"}, {"n", "1000000"}, {"t", "10"}}}},
        {"loop",
         {"SPC 100 us", {{"kind", "FG"}, {"n", "4000"}, {"t", "100"}}},
         {"SPC 100 us", {{"kind", "FG"}, {"n", "1000000"}, {"t", "100"}}}},
        {"bpc-loop",
         {"BPC 1 us", {{"d", "600"}, {"n", "599"}, {"t", "1"}}},
         {"BPC 1 us", {{"d", "1000"}, {"n", "999"}, {"t", "1"}}}},
        {"bpc-loop",
         {"BPC 10 us", {{"d", "200"}, {"n", "199"}, {"t", "10"}}},
         {"BPC 10 us", {{"d", "1000"}, {"n", "999"}, {"t", "10"}}}},
        {"bpc-loop",
         {"BPC 100 us", {{"d", "60"}, {"n", "59"}, {"t", "100"}}},
         {"BPC 100 us", {{"d", "1000"}, {"n", "999"}, {"t", "100"}}}},
        {"treerec", {"Treerec 1 us", {{"n", "27"}, {"t", "1"}}}, {"Treerec 1 us", {{"n", "32"}, {"t", "1"}}}},
        {"treerec", {"Treerec 10 us", {{"n", "23"}, {"t", "10"}}}, {"Treerec 10 us", {{"n", "32"}, {"t", "10"}}}},
        {"treerec", {"Treerec 100 us", {{"n", "18"}, {"t", "100"}}}, {"Treerec 100 us", {{"n", "32"}, {"t", "100"}}}},
        {"quicksort", {"Quicksort 4 10^6", {{"n", "4000000"}}}, {"Quicksort 10^8", {{"n", "100000000"}}}},
        {"cilksort", {"Cilksort 4 10^6", {{"n", "4000000"}}}, {"Cilksort 10^8", {{"n", "100000000"}}}},
        {"nqueens", {"N-Queens 12", {{"n", "12"}}}, {"N-Queens 14", {{"n", "14"}}}},
        {"uts", {"UTS T1", {{"tree", "T1"}}}, {"UTS T1L", {{"tree", "T1L"}}}},
        {"uts", {"UTS T2", {{"tree", "T2"}}}, {"UTS T2L", {{"tree", "T2L"}}}},
        {"uts", {"UTS T3", {{"tree", "T3"}}}, {"UTS T3L", {{"tree", "T3L"}}}},
        {"matmul-loop", {"MM 1024 32", {{"n", "1024"}, {"block", "32"}}}, {"MM 4096 32", {{"n", "4096"}, {"block", "32"}}}},
        {"matmul-loop", {"MM 1024 64", {{"n", "1024"}, {"block", "64"}}}, {"MM 4096 64", {{"n", "4096"}, {"block", "64"}}}},
        {"matmul-loop",
         {"MM 1024 128", {{"n", "1024"}, {"block", "128"}}},
         {"MM 4096 128", {{"n", "4096"}, {"block", "128"}}}},
        {"lu",
         {"LU 2048 32", {{"form", "futures"}, {"n", "2048"}, {"block", "32"}}},
         {"LU 4096 32", {{"form", "futures"}, {"n", "4096"}, {"block", "32"}}}},
        {"lu",
         {"LU 2048 64", {{"form", "futures"}, {"n", "2048"}, {"block", "64"}}},
         {"LU 4096 64", {{"form", "futures"}, {"n", "4096"}, {"block", "64"}}}},
        {"lu",
         {"LU 2048 128", {{"form", "futures"}, {"n", "2048"}, {"block", "128"}}},
         {"LU 4096 128", {{"form", "futures"}, {"n", "4096"}, {"block", "128"}}}},
    }};
    return all;
}

}  // namespace

suite chapter6(const std::string& size, unsigned processors) {
    if (size != "small" && size != "ch6") {
        throw usage_error(
            fmt::format("parley bench: --size: {} is not allowed with --suite chapter6; allowed: small, ch6", shown(size)));
    }
    suite s;
    s.name = "chapter6";
    for (const workload& w : workloads()) {
        const form& f = size == "small" ? w.small : w.of_the_thesis;
        s.entries.push_back({parley_programs::find_program(w.program), f.options, f.name});
    }
    compare_on(s, {"parley", "deque", "tbb", "openmp"}, processors);
    return s;
}

}  // namespace parley_cli
