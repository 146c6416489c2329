// What was typed behind `parley sim PROGRAM`, checked against a table of options.
#pragma once

#include <parley/sim/timed/report.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/sim/option_table.hpp"
#include "cli/verbs.hpp"

namespace parley_cli {

using option_texts = std::map<std::string, std::string>;

class given_options {
public:
    /// Throws usage_error, as do the others.
    given_options(const parley_programs::program& p, std::vector<sim_option> table, arguments words);

    [[nodiscard]] bool wants_help() const noexcept { return wants_help_; }
    /// Of the program and of each option.
    void print_help() const;

    [[nodiscard]] bool has(const std::string& name) const { return given_.contains(name); }
    [[nodiscard]] std::string value(const std::string& name, const std::string& otherwise) const;

    /// What --sweep asks for; without it one run, with what was given.
    struct sweep {
        std::string name;
        std::vector<std::string> values;
        std::vector<option_texts> runs;
    };
    [[nodiscard]] sweep swept() const;

    /// Of one run: as given, or the default.
    [[nodiscard]] std::string text(const option_texts& run, const std::string& name) const;

    /// The program's own options of one run. Times are left out: they may have fractions, of which the real programs
    /// know nothing.
    [[nodiscard]] parley_programs::request request(const option_texts& run) const;
    /// What the program finds wrong with its parameters.
    void require_no_complaint(const parley_programs::json& parameters) const;

    [[noreturn]] void refuse(const std::string& option, const std::string& what) const;

private:
    void read(arguments words, std::size_t& i);
    void check(const sim_option& o, const std::string& typed) const;
    [[nodiscard]] const sim_option* find(std::string_view name) const;

    const parley_programs::program& program_;
    std::vector<sim_option> table_;
    option_texts given_;
    bool wants_help_ = false;
};

/// What goes wrong, by the word of --faults.
[[nodiscard]] parley::sim::timed::faults faults_named(const std::string& name);

}  // namespace parley_cli
