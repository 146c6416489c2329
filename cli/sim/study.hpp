// A study: something else than a program that runs in virtual time, with options of its own, one run or a sweep.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/sim/option_table.hpp"
#include "cli/verbs.hpp"
#include "programs/program.hpp"

namespace parley_cli {

/// What was said of its options, and else their defaults.
class study_options {
public:
    /// Adds --sweep and --json to the table. Throws usage_error.
    study_options(std::string name, std::vector<sim_option> table, arguments words);

    [[nodiscard]] bool wants_help() const { return wants_help_; }
    [[nodiscard]] std::string help() const;

    /// One for each value that is swept.
    [[nodiscard]] std::vector<study_options> runs() const;
    [[nodiscard]] bool sweeps() const { return given_.contains("sweep"); }

    [[nodiscard]] std::string text(std::string_view option) const;
    [[nodiscard]] std::uint64_t number(std::string_view option) const;
    [[nodiscard]] double seconds(std::string_view option) const;
    [[nodiscard]] bool is_given(const std::string& option) const { return given_.contains(option); }
    /// Empty: none was asked for.
    [[nodiscard]] std::string json_file() const { return is_given("json") ? text("json") : ""; }
    /// All that decide about the result.
    [[nodiscard]] parley_programs::json parameters() const;

    [[noreturn]] void refuse(const std::string& option, const std::string& what) const;

private:
    void read(arguments words, std::size_t& i);
    [[nodiscard]] const sim_option* find(std::string_view name) const;

    std::string name_;
    std::vector<sim_option> table_;
    std::map<std::string, std::string> given_;
    bool wants_help_ = false;
};

/// What came of a run.
struct study_result {
    std::string text;  // for people
    std::vector<parley_programs::json> lines;
    std::string problem;  // a promise that was broken; empty: none
};

using stop_test = std::function<bool()>;
using study_run = std::function<study_result(const stop_test&)>;

/// Runs them in turn, prints `head` and what they say, or writes their lines. Returns the exit status.
[[nodiscard]] int run_in_turn(const std::vector<study_run>& runs, const std::string& head, const std::string& json_file);

/// As simulated reports write times.
[[nodiscard]] std::string seconds_text(double seconds);

}  // namespace parley_cli
