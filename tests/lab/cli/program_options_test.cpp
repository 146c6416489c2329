// The options of single programs: what is refused, in which words, and what help says.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/running_command.hpp"

namespace {

using parley_tests::run;
using parley_tests::said;

struct bad_option {
    const char* program;
    const char* option;
    const char* value;
    const char* allowed;
};

// Each bound by the value beyond it.
const std::vector<bad_option> mistakes{
    {"treerec", "--n", "61", "0 to 60"},
    {"treerec", "--n", "-1", "0 to 60"},
    {"treerec", "--t", "1000001", "0 to 1000000"},
    {"treerec", "--t", "0.5", "0 to 1000000"},
    {"spc", "--n", "100000001", "0 to 100000000"},
    {"spc", "--t", "-1", "0 to 1000000"},
    {"spc", "--poll", "banana", "0 to 1000000"},
    {"bpc", "--d", "0", "1 to 100000"},
    {"bpc", "--d", "100001", "1 to 100000"},
    {"bpc", "--n", "1000001", "0 to 1000000"},
    {"bpc", "--t", "1000001", "0 to 1000000"},
    {"bpc", "--poll", "-1", "0 to 1000000"},
    {"spawns", "--n", "1000000001", "0 to 1000000000"},
    {"heat", "--nx", "1", "2 to 16384"},
    {"heat", "--ny", "16385", "2 to 16384"},
    {"heat", "--nt", "-1", "0 to 1000000"},
    {"cilksort", "--n", "1000000001", "0 to 1000000000"},
    {"cilksort", "--n", "", "0 to 1000000000"},
    {"loop", "--kind", "fg", "FG, CG, RG, IG, DG"},
    {"loop", "--n", "100000001", "0 to 100000000"},
    {"loop", "--t", "1000001", "0 to 1000000"},
    {"saxpy", "--n", "100000001", "0 to 100000000"},
    {"dot", "--passes", "500001", "0 to 500000"},
    {"mandelbrot", "--n", "0", "1 to 16384"},
    {"mandelbrot", "--limit", "100001", "0 to 100000"},
    {"nested", "--n", "10001", "0 to 10000"},
    {"triangular", "--n", "14001", "0 to 14000"},
    {"triangular", "--ns", "-1", "0 to 1000000"},
    {"bpc-loop", "--d", "0", "1 to 100000"},
    {"bpc-loop", "--poll", "1000001", "0 to 1000000"},
    {"empty-loop", "--n", "100000001", "0 to 100000000"},
    {"empty-loop", "--loops", "0", "1 to 100000000"},
    {"phases", "--kind", "cache", "memory, compute"},
    {"phases", "--passes", "10000001", "0 to 10000000"},
    {"phases", "--ns", "5", "with --kind memory"},
    {"stencil", "--nx", "1", "2 to 16384"},
    {"n-body", "--n", "0", "1 to 16384"},
    {"n-body", "--steps", "10000001", "0 to 10000000"},
    {"skynet", "--form", "futures", "scopes, loops"},
    {"skynet", "--depth", "9", "0 to 8"},
    {"fft", "--n", "0", "1 to 16777216"},
    {"fft", "--n", "16777217", "1 to 16777216"},
    {"fft", "--n", "1009", "without a prime factor above 997"},
    {"knapsack", "--n", "0", "1 to 100"},
    {"knapsack", "--n", "101", "1 to 100"},
    {"stress", "--grain", "medium", "fine, coarse"},
    {"stress", "--leaf", "1000000001", "0 to 1000000000"},
    {"stress", "--depth", "25", "0 to 24"},
    {"stress", "--repeat-tree", "1000001", "0 to 1000000"},
    {"matmul", "--n", "16385", "1 to 16384"},
    {"matmul", "--block", "48", "a divisor of that"},
    {"matmul-loop", "--block", "0", "1 to 16384"},
    {"lu", "--form", "tasks", "futures, barriers"},
    {"lu", "--block", "48", "a divisor of that"},
    {"lu", "--block", "1", "at most 1024 blocks in a row"},
    {"quicksort", "--n", "1000000001", "0 to 1000000000"},
    {"strassen", "--n", "8193", "1 to 8192"},
    {"strassen", "--n", "130", "that halving brings to 64 or less without a remainder"},
    {"matmul", "--scheduler", "deque-half", "has none"},
    {"fib", "--scheduler", "deque-half", "parley, deque"},
    {"loop", "--scheduler", "deque-third", "deque-eager"},
    {"loop", "--scheduler", "openmp-region", "openmp"},
    {"stencil", "--scheduler", "chili", "deque"},
};

TEST(ProgramOptions, BadValuesAreRefused) {
    for (const bad_option& m : mistakes) {
        SCOPED_TRACE(std::string(m.program) + " " + m.option + " " + m.value);
        const said answer = run({"run", m.program, m.option, m.value});
        EXPECT_EQ(answer.status, 2);
        EXPECT_EQ(answer.out, "");
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
        for (const std::string& part : {std::string(m.option), std::string("'") + m.value + "'", std::string(m.allowed)}) {
            EXPECT_NE(answer.err.find(part), std::string::npos) << part << "\n" << answer.err;
        }
    }
}

TEST(ProgramOptions, OptionsThatContradictEachOtherAreRefused) {
    const said answer = run({"run", "matmul", "--n", "1000"});
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.err,
              "parley run matmul: --block: '32' is not allowed with --n 1000; allowed: a divisor of that "
              "which makes at most 1024 blocks in a row\n");
    EXPECT_EQ(run({"run", "matmul", "--n", "100", "--block", "25", "--repeat", "1"}).status, 0);
}

TEST(ProgramOptions, OptionsOfOthersAreRefused) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"run", "treerec", "--poll", "1"},
                                                      {"run", "spc", "--d", "1"},
                                                      {"run", "heat", "--n", "1"},
                                                      {"run", "cilksort", "--t", "1"}}) {
        const said answer = run(arguments);
        EXPECT_EQ(answer.status, 2);
        EXPECT_NE(answer.err.find(arguments[2]), std::string::npos) << answer.err;
    }
}

TEST(ProgramOptions, HelpHasTheDefaults) {
    struct line {
        const char* program;
        std::vector<std::string> parts;
    };
    for (const line& l : {line{"treerec", {"--n", "(default: 25)", "--t", "(default: 1)"}},
                          line{"spc", {"--n", "(default: 20000)", "--t", "(default: 10)"}},
                          line{"bpc", {"--d", "(default: 1000)", "--n", "(default: 9)"}},
                          line{"spawns", {"--n", "(default: 1000000)"}},
                          line{"heat", {"--nx", "--ny", "(default: 1024)", "--nt"}},
                          line{"cilksort", {"--n", "(default: 2000000)"}},
                          line{"loop", {"--kind", "(default: FG)", "(default: 200000)", "deque-eager"}},
                          line{"fft", {"--n", "(default: 2000000)", "without a prime factor above 997"}},
                          line{"knapsack", {"--n", "(default: 26)"}},
                          line{"stress",
                               {"--grain", "(default: fine)", "--leaf", "(default: 100)", "--depth", "(default: 14)",
                                "--repeat-tree", "(default: 60)"}},
                          line{"matmul", {"--n", "(default: 1024)", "--block", "(default: 32)"}},
                          line{"lu", {"--form", "(default: futures)", "(default: 2048)", "(default: 64)"}},
                          line{"quicksort", {"--n", "(default: 2000000)"}},
                          line{"strassen", {"--n", "(default: 1024)", "without a remainder"}},
                          line{"saxpy", {"--n", "(default: 1000000)", "--passes"}},
                          line{"mandelbrot", {"--n", "(default: 512)", "--limit"}},
                          line{"triangular", {"--n", "(default: 1400)", "--ns"}},
                          line{"empty-loop", {"--n", "(default: 100)", "--loops", "parley-half", "deque-eager"}},
                          line{"phases", {"--kind", "(default: memory)", "--passes", "--ns"}},
                          line{"stencil", {"(default: 256)", "--nt"}},
                          line{"n-body", {"(default: 128)", "--steps"}},
                          line{"skynet", {"(default: scopes)", "--depth"}},
                          line{"bpc-loop", {"--d", "(default: 1000)", "--n", "--t"}}}) {
        const said answer = run({"run", l.program, "--help"});
        EXPECT_EQ(answer.status, 0);
        for (const std::string& part : l.parts) {
            EXPECT_NE(answer.out.find(part), std::string::npos) << l.program << " " << part;
        }
    }
}

}  // namespace
