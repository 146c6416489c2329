// What was typed behind `parley sim PROGRAM`.
#pragma once

#include <lab/sim/timed/report.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lab/command/sim/session.hpp"
#include "lab/command/sim/typed_options.hpp"

namespace parley_cli {

// What --trace and --trace-events ask for.
struct wanted_timeline {
    std::string file;          // empty: none
    std::uint32_t events = 0;  // of each; 0: as many as are usual
};

class given_options : public typed_options {
public:
    given_options(const parley_programs::program& p, std::vector<sim_option> table, arguments words)
        : typed_options(std::string(p.name), std::move(table), words), program_(p) {}

    // Of the program and of each option.
    void print_help() const;

    // The program's own options of one run. Times are left out: they may have fractions, of which the real programs
    // know nothing.
    [[nodiscard]] parley_programs::request request(const option_texts& run) const;
    // What --plot asks for.
    [[nodiscard]] sweep_picture picture(std::vector<parley_programs::json> points) const;
    // Of one run: not of a sweep, and a number of events only with a file.
    [[nodiscard]] wanted_timeline timeline(const sweep& runs) const;
    // Two options that name the same file.
    void require_different_files(const char* one, const char* other) const;
    // What the program finds wrong with its parameters.
    void require_no_complaint(const parley_programs::json& parameters) const;

private:
    const parley_programs::program& program_;
};

// What goes wrong, by the word of --faults.
[[nodiscard]] parley::sim::timed::faults faults_named(const std::string& name);

}  // namespace parley_cli
