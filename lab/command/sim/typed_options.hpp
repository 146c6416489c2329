// What was typed behind `parley sim NAME`, checked against a table of options.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "command/verbs.hpp"
#include "lab/command/sim/option_table.hpp"

namespace parley_cli {

// Of one run: options and what was given for them.
using option_texts = std::map<std::string, std::string>;

class typed_options {
public:
    // `name`: of the program or the study. Throws usage_error, as do the others.
    typed_options(std::string name, std::vector<sim_option> table, arguments words);

    [[nodiscard]] bool wants_help() const noexcept { return wants_help_; }
    // A paragraph for each option.
    [[nodiscard]] std::string help() const;

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const std::vector<sim_option>& table() const noexcept { return table_; }
    [[nodiscard]] bool has(const std::string& option) const { return given_.contains(option); }
    [[nodiscard]] std::string value(const std::string& option, const std::string& otherwise) const;

    // What --sweep asks for; without it one run, with what was given. With several all combinations of their values,
    // those of the first one next to each other.
    struct sweep {
        std::string name;                           // of all that is swept, for people; empty: nothing is
        std::vector<std::string> values;            // of each run, for people
        std::vector<parley_programs::json> points;  // the same as numbers and words, by name
        std::vector<option_texts> runs;
    };
    [[nodiscard]] sweep swept() const;

    // Of one run: as given, or the default.
    [[nodiscard]] std::string text(const option_texts& run, std::string_view option) const;
    [[nodiscard]] const sim_option* find(std::string_view option) const;

    [[noreturn]] void refuse(const std::string& option, const std::string& what) const;

private:
    void read(arguments words, std::size_t& i);
    void check(const sim_option& o, const std::string& typed) const;
    [[nodiscard]] sweep widened(const sweep& by_others, const std::string& typed) const;

    std::string name_;
    std::vector<sim_option> table_;
    option_texts given_;
    std::vector<std::string> sweeps_;
    bool wants_help_ = false;
};

}  // namespace parley_cli
