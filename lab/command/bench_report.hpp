// What `parley bench` prints for people: one table per program.
#pragma once

#include <string>

#include "command/terminal.hpp"
#include "lab/command/contest.hpp"

namespace parley_cli {

// Medians; the speedup over the serial program; and how long each scheduler takes relative to
// parley on as many workers (to the first scheduler, if parley does not compete): the median of the
// ratios within rounds, with its 95% interval, which decides only if it lies on one side of 1.
[[nodiscard]] std::string table_of(const contest& c, const terminal& t);

}  // namespace parley_cli
