// What an interrupted suite has measured already: the lines in FILE.partial that need not be measured again.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lab/command/bench_options.hpp"

namespace parley_cli {

// The schedulers of a program take turns with its serial form, so a program is finished or not at all: all of its lines
// are there and verified, from this build on this machine, and with as many repetitions as are wanted.
class finished_programs {
public:
    finished_programs() = default;

    // Of those that the options want, from FILE.partial; none if there is no such file. Throws usage_error for a file
    // with verified lines that the options do not ask for, which going on would lose, and for one that is not made of
    // lines of JSON. A last line may be cut short, as by a full disk.
    explicit finished_programs(const bench_options& options);

    // The lines of the options' i-th entry; empty if it is to be measured.
    [[nodiscard]] const std::vector<parley_programs::json>& lines_of(std::size_t entry) const;

    // All of these.
    [[nodiscard]] std::vector<parley_programs::json> all_lines() const;

    [[nodiscard]] std::size_t finished() const noexcept;
    // Programs with verified lines that are not good enough.
    [[nodiscard]] std::size_t measured_anew() const noexcept { return measured_anew_; }

private:
    std::vector<std::vector<parley_programs::json>> lines_;  // one list for each entry
    std::size_t measured_anew_ = 0;
};

}  // namespace parley_cli
