// Whoever interrupts a program on parley does not wait for its end.
#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>
#include <tuple>
#include <utility>

#include "lab/programs/program.hpp"

namespace {

using namespace parley_programs;

// Each with work for many seconds.
const std::vector<std::pair<std::string, json>> much_work{
    {"treerec", {{"n", 45}, {"t", 1}}},
    {"spc", {{"n", 1'000'000}, {"t", 1000}, {"poll", 0}}},
    {"bpc", {{"d", 100'000}, {"n", 9}, {"t", 1000}, {"poll", 10}}},
    {"spawns", {{"n", 1'000'000'000'000}}},
    {"heat", {{"nx", 512}, {"ny", 512}, {"nt", 10'000'000}}},
    {"loop", {{"kind", "IG"}, {"n", 100'000}, {"t", 1000}, {"poll", 0}, {"passes", 1}, {"seed", 1}}},
    {"sum", {{"n", 100'000}, {"passes", 500'000'000}}},
    {"nested", {{"n", 1000}, {"ns", 1'000'000}}},
    {"knapsack", {{"n", 100}, {"seed", 1}}},
    {"stress", {{"grain", "coarse"}, {"leaf", 1'000'000}, {"depth", 20}, {"repeat-tree", 1000}}},
    {"stress", {{"grain", "fine"}, {"leaf", 10}, {"depth", 1}, {"repeat-tree", 100'000'000'000}}},
    {"matmul", {{"n", 3072}, {"block", 64}, {"seed", 1}}},
    {"matmul-loop", {{"n", 3072}, {"block", 64}, {"seed", 1}}},
    {"lu", {{"form", "futures"}, {"n", 8192}, {"block", 64}, {"seed", 1}}},
    {"lu", {{"form", "barriers"}, {"n", 8192}, {"block", 64}, {"seed", 1}}},
    {"strassen", {{"n", 2048}, {"seed", 1}}},
    {"bpc-loop", {{"d", 100'000}, {"n", 9}, {"t", 1000}, {"poll", 10}}},
    {"empty-loop", {{"n", 100}, {"loops", 4'000'000'000}}},
    {"phases", {{"kind", "memory"}, {"n", 100'000}, {"passes", 4'000'000'000}, {"ns", 0}}},
    {"phases", {{"kind", "compute"}, {"n", 1000}, {"passes", 4'000'000'000}, {"ns", 50}}},
    {"stencil", {{"nx", 256}, {"ny", 256}, {"nt", 4'000'000'000}}},
    {"n-body", {{"n", 128}, {"steps", 4'000'000'000}}},
    {"skynet", {{"form", "scopes"}, {"depth", 14}}},
    {"skynet", {{"form", "loops"}, {"depth", 14}}},
};

void expect_to_leave_soon(const std::string& name, const json& parameters, const std::string& scheduler) {
    using clock = std::chrono::steady_clock;
    SCOPED_TRACE(name + " on " + scheduler);
    const auto job = find_program(name)->make(parameters, scheduler, {2, {}});
    const auto start = clock::now();
    {
        const std::jthread canceller([&job](const std::stop_token& done) {
            while (!done.stop_requested()) {  // again and again: it may not have begun
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
                job->cancel();
            }
        });
        EXPECT_THROW(std::ignore = job->run(), interrupted);
    }
    EXPECT_LT(clock::now() - start, std::chrono::seconds(10));
}

TEST(Cancel, ProgramsLeaveSoon) {
    for (const auto& [name, parameters] : much_work) {
        expect_to_leave_soon(name, parameters, "parley");
    }
}

// They look after it by themselves: no scheduler does it for them.
TEST(Cancel, ProgramsInRustLeaveSoon) {
    for (const auto& [name, parameters] :
         std::vector<std::pair<std::string, json>>{{"fib", {{"n", 60}}},
                                                   {"nqueens", {{"n", 16}}},
                                                   {"treerec", {{"n", 45}, {"t", 1}}},
                                                   {"uts", {{"tree", "T1XL"}, {"seed", 29}}}}) {
        for (const std::string& scheduler : scheduler_names()) {
            if (scheduler == "rayon" || scheduler == "chili") {
                expect_to_leave_soon(name, parameters, scheduler);
            }
        }
    }
}

}  // namespace
