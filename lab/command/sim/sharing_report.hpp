// What is said of programs that share a machine in virtual time: a table, and lines of JSON.
#pragma once

#include <lab/sim/sharing_study.hpp>

#include <nlohmann/json.hpp>
#include <string>

namespace parley_cli {

[[nodiscard]] std::string sharing_head();

// `base` is what ratios are to, seed by seed.
[[nodiscard]] std::string sharing_row(const parley::sim::program_mix&, const parley::sim::sharing_series&,
                                      const parley::sim::sharing_series& base);
[[nodiscard]] nlohmann::ordered_json sharing_line(const parley::sim::program_mix&, const parley::sim::sharing_series&,
                                                  const parley::sim::sharing_series& base,
                                                  const parley::sim::virtual_machine&);

}  // namespace parley_cli
