// A study: something else than a program that runs in virtual time, with options of its own, one run or a sweep.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/command/sim/session.hpp"
#include "lab/command/sim/typed_options.hpp"
#include "lab/programs/program.hpp"

namespace parley_cli {

// What was said of one run's options, and else their defaults.
class study_options {
public:
    study_options(const typed_options& typed, option_texts run) : typed_(typed), run_(std::move(run)) {}

    [[nodiscard]] std::string text(std::string_view option) const { return typed_.text(run_, option); }
    [[nodiscard]] std::uint64_t number(std::string_view option) const;
    [[nodiscard]] double seconds(std::string_view option) const;
    [[nodiscard]] bool is_given(const std::string& option) const { return run_.contains(option); }
    // All that decide about the result.
    [[nodiscard]] parley_programs::json parameters() const;

    [[noreturn]] void refuse(const std::string& option, const std::string& what) const { typed_.refuse(option, what); }

private:
    const typed_options& typed_;
    option_texts run_;
};

using stop_test = std::function<bool()>;

// What a study is asked for.
struct study_plan {
    std::string head;  // of a table, or empty
    std::vector<std::function<sim_outcome(const stop_test&)>> runs;
};

struct study {
    const char* summary;
    std::vector<sim_option> (*table)();  // without those that all of them have
    // `in_rows`: there are several runs, a row of a table each.
    study_plan (*plan)(const std::vector<study_options>& runs, bool in_rows);
};

}  // namespace parley_cli
