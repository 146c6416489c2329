// The suite chapter6: its workloads, its table, its picture.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "lab/command/suite_table.hpp"
#include "lab/programs/cilksort.hpp"
#include "lab/programs/lu.hpp"
#include "lab/programs/matmul.hpp"
#include "lab/programs/treerec.hpp"
#include "tests/lab/cli/suite_lines.hpp"
#include "tests/running_command.hpp"

namespace {

using namespace parley_cli;
using parley_tests::made_up_line;
using parley_tests::options_of;
using parley_tests::run;
using parley_tests::said;
using parley_tests::scratch_folder;
using parley_tests::suite_line;

std::vector<suite_line> parameters_of(const bench_options& options) {
    std::vector<suite_line> all;
    for (const bench_entry& e : options.entries) {
        all.push_back(e.program->parameters(options.request_of(e)));
    }
    return all;
}

std::uint64_t value_of(const suite_line& parameters, const char* key) { return parameters.at(key).get<std::uint64_t>(); }

TEST(Chapter6, HasThe21WorkloadsOfTheThesisInTheirOrder) {
    const bench_options options = options_of({"--suite", "chapter6", "--size", "ch6"});
    std::vector<std::string> names;
    for (const bench_entry& e : options.entries) {
        names.push_back(e.workload);
    }
    const std::vector<std::string> wanted{
        "SPC 1 us",      "SPC 10 us",      "SPC 100 us",     "BPC 1 us",      "BPC 10 us",   "BPC 100 us", "Treerec 1 us",
        "Treerec 10 us", "Treerec 100 us", "Quicksort 10^8", "Cilksort 10^8", "N-Queens 14", "UTS T1L",    "UTS T2L",
        "UTS T3L",       "MM 4096 32",     "MM 4096 64",     "MM 4096 128",   "LU 4096 32",  "LU 4096 64", "LU 4096 128"};
    EXPECT_EQ(names, wanted);
}

// Figures 6.1 to 6.7 say how many tasks there are.
TEST(Chapter6, SizesMakeTheTasksOfTheThesis) {
    const std::vector<suite_line> all = parameters_of(options_of({"--suite", "chapter6", "--size", "ch6"}));
    ASSERT_EQ(all.size(), 21U);
    const std::vector<std::uint64_t> lengths{1, 10, 100};
    const std::vector<std::uint64_t> sizes{32, 64, 128};
    const std::vector<std::uint64_t> tasks_of_mm{2'097'152, 262'144, 32'768};
    const std::vector<std::uint64_t> tasks_of_lu{182'976, 23'904, 3248};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(all[i].at("kind"), "FG");
        EXPECT_EQ(value_of(all[i], "n"), 1'000'000U);
        EXPECT_EQ(value_of(all[i], "t"), lengths[i]);
        EXPECT_EQ(value_of(all[3 + i], "d") * (value_of(all[3 + i], "n") + 1), 1'000'000U);
        EXPECT_EQ(value_of(all[3 + i], "t"), lengths[i]);
        EXPECT_EQ(value_of(all[3 + i], "poll"), 0U);
        EXPECT_EQ(parley_programs::calls_of_treerec(static_cast<unsigned>(value_of(all[6 + i], "n"))) / 2, 3'524'577U);
        EXPECT_EQ(value_of(all[6 + i], "t"), lengths[i]);
        EXPECT_EQ(all[12 + i].at("tree"), (std::vector<std::string>{"T1L", "T2L", "T3L"}[i]));
        EXPECT_EQ(value_of(all[15 + i], "block"), sizes[i]);
        EXPECT_EQ(parley_programs::tasks_of_matmul(value_of(all[15 + i], "n") / sizes[i]), tasks_of_mm[i]);
        EXPECT_EQ(value_of(all[18 + i], "block"), sizes[i]);
        EXPECT_EQ(parley_programs::tasks_of_lu(value_of(all[18 + i], "n") / sizes[i]).all(), tasks_of_lu[i]);
        EXPECT_EQ(all[18 + i].at("form"), "futures");
    }
    EXPECT_EQ(value_of(all[9], "n"), 100'000'000U);
    const auto calls = parley_programs::calls_of_cilksort(value_of(all[10], "n"));
    EXPECT_EQ(calls.sorts + calls.merges, 1'070'421U);
    EXPECT_EQ(value_of(all[11], "n"), 14U);
}

TEST(Chapter6, IsSmallUnlessAskedForMore) {
    const std::vector<suite_line> small = parameters_of(options_of({"--suite", "chapter6"}));
    const std::vector<suite_line> large = parameters_of(options_of({"--suite", "chapter6", "--size", "ch6"}));
    ASSERT_EQ(small.size(), large.size());
    for (std::size_t i = 0; i < small.size(); ++i) {
        EXPECT_NE(small[i], large[i]);
    }
}

// What lines are told apart by is different for any two workloads; each option is one of its program.
TEST(Chapter6, WorkloadsAreToldApartAndAllowed) {
    for (const char* size : {"small", "ch6"}) {
        const bench_options options = options_of({"--suite", "chapter6", "--size", size});
        for (std::size_t i = 0; i < options.entries.size(); ++i) {
            const bench_entry& e = options.entries[i];
            const suite_line parameters = e.program->parameters(options.request_of(e));
            for (const auto& [key, value] : e.given) {
                const auto& specs = e.program->options;
                const auto is_wanted = [&wanted = key](const auto& spec) { return spec.name == wanted; };
                EXPECT_TRUE(std::any_of(specs.begin(), specs.end(), is_wanted)) << key;
                const suite_line& taken = parameters.at(key);
                EXPECT_EQ(taken.is_string() ? taken.get<std::string>() : taken.dump(), value);
            }
            if (e.program->complaint != nullptr) {
                EXPECT_EQ(e.program->complaint(parameters), "");
            }
            for (std::size_t j = 0; j < i; ++j) {
                EXPECT_FALSE(options.entries[j].program == e.program &&
                             options.entries[j].program->parameters(options.request_of(options.entries[j])) == parameters);
            }
        }
    }
}

TEST(Chapter6, ComparesFourSchedulersOnOneWorkerAndAllProcessors) {
    const bench_options options = options_of({"--suite", "chapter6"});
    std::vector<std::string> all = options.schedulers;
    all.insert(all.end(), options.unbuilt.begin(), options.unbuilt.end());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, (std::vector<std::string>{"deque", "openmp", "parley", "tbb"}));
    EXPECT_EQ(options.workers.front(), 1U);
    EXPECT_LE(options.workers.size(), 2U);
}

TEST(Chapter6, OtherSizesAreRefused) {
    const said answer = run({"bench", "--suite", "chapter6", "--size", "thesis"});
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_NE(answer.err.find("'thesis' is not allowed with --suite chapter6; allowed: small, ch6"), std::string::npos)
        << answer.err;
}

TEST(Chapter6, WorkThatIsAlsoNamedIsMeasuredOnce) {
    const bench_options options = options_of({"uts", "fib", "--suite", "chapter6"});
    ASSERT_EQ(options.entries.size(), 22U);  // uts is T1 where it is small
    EXPECT_EQ(options.entries[0].workload, "UTS T1");
    EXPECT_EQ(options.entries[1].workload, "");
}

TEST(Chapter6, TableSaysWhyPlacesAreEmpty) {
    bench_options options = options_of({"--suite", "chapter6", "--workers", "2"});
    options.schedulers = {"parley", "deque-half", "deque"};
    options.unbuilt = {"nosuch"};
    const bench_entry& spc = options.entries[0];
    const bench_entry& treerec = options.entries[6];
    std::vector<suite_line> lines{
        made_up_line(options, spc, "parley", 2, 1.9), made_up_line(options, spc, "deque-half", 2, 2.0),
        made_up_line(options, spc, "deque", 2, 1.0), made_up_line(options, treerec, "parley", 2, 1.5),
        made_up_line(options, treerec, "deque", 2, 3.0)};
    lines.back()["verified"] = false;
    const std::vector<suite_table> tables = suite_tables(options, lines);
    ASSERT_EQ(tables.size(), 1U);
    EXPECT_EQ(tables[0].workloads, (std::vector<std::string>{"SPC 1 us", "Treerec 1 us"}));
    EXPECT_EQ(tables[0].schedulers, (std::vector<std::string>{"parley", "deque-half", "deque", "nosuch"}));
    ASSERT_EQ(tables[0].speedups.size(), 2U);
    EXPECT_NEAR(tables[0].speedups[0][1].value_or(0.0), 2.0, 1e-9);
    EXPECT_FALSE(tables[0].speedups[0][3]);
    EXPECT_FALSE(tables[0].speedups[1][1]);
    EXPECT_FALSE(tables[0].speedups[1][2]);
    const std::string remarks = remarks_on_empty_places(options, tables);
    EXPECT_NE(remarks.find("nosuch was not built"), std::string::npos) << remarks;
    EXPECT_NE(remarks.find("deque-half does not run Treerec 1 us, "), std::string::npos) << remarks;
    EXPECT_NE(remarks.find("deque on 2 workers has no right result of Treerec 1 us"), std::string::npos) << remarks;
}

TEST(Chapter6, SchedulersThatRunAPartOfItMayBeNamed) {
    const bench_options options = options_of({"--suite", "chapter6", "--scheduler", "parley,deque-half"});
    EXPECT_EQ(options.schedulers_of(options.entries[0]), (std::vector<std::string>{"parley", "deque-half"}));
    EXPECT_EQ(options.schedulers_of(options.entries[6]), (std::vector<std::string>{"parley"}));
    const said answer = run({"bench", "--suite", "chapter6", "--scheduler", "queue"});
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("'queue'"), std::string::npos) << answer.err;
}

TEST(Chapter6, PictureHasTheDeviations) {
    const bench_options options =
        options_of({"fib", "--suite", "chapter6", "--workers", "1", "--scheduler", "parley,deque"});
    const bench_entry& spc = options.entries[1];
    const std::vector<suite_line> lines{made_up_line(options, options.entries[0], "parley", 1),
                                        made_up_line(options, spc, "parley", 1, 1.0),
                                        made_up_line(options, spc, "deque", 1, 0.5)};
    const std::vector<suite_line> drawn = lines_with_deviations(options, lines);
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_EQ(drawn[0].at("workload"), "SPC 1 us");
    EXPECT_NEAR(drawn[0].at("deviation").get<double>(), 0.0, 1e-9);
    EXPECT_NEAR(drawn[1].at("deviation").get<double>(), -50.0, 1e-9);
    const std::vector<suite_line> others = lines_without_workload(options, lines);
    ASSERT_EQ(others.size(), 1U);
    EXPECT_EQ(others[0].at("program"), "fib");
}

// On one worker: OpenMP then has no schedules to try.
// EachProgram.RunsOnEveryScheduler has all schedulers.
TEST(Chapter6, RunsOnTheSchedulersThatAreNamedAndShowsItsTable) {
    const scratch_folder folder;
    const said answer = run({"bench", "--suite", "chapter6", "--repeat", "1", "--workers", "1", "--scheduler",
                             "parley,deque", "--json", folder.file("f")});
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::istringstream in(parley_tests::read(folder.file("f")));
    std::size_t found = 0;
    for (std::string text; std::getline(in, text); ++found) {
        EXPECT_TRUE(suite_line::parse(text).at("verified").get<bool>()) << text;
    }
    EXPECT_EQ(found, 21U * 2U);
    for (const char* part : {"suite chapter6, 21 workloads:", "parley run loop --kind FG --n 400000 --t 1",
                             "chapter6 1 worker, 21 workloads", "LU 2048 128", "average deviation from the best", "  1. "}) {
        EXPECT_NE(answer.out.find(part), std::string::npos) << part;
    }
}

}  // namespace
