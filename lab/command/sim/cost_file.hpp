// Cost files: what things cost on a machine (lab/sim/timed/costs.hpp), as JSON. docs/internals/simulation.md describes them.
#pragma once

#include <lab/sim/timed/costs.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace parley_cli {

// Those that are in this program.
[[nodiscard]] const std::vector<std::string>& known_machines();

// Of a machine of that name, or of a file. Throws usage_error, which names the key, for what is missing, unknown,
// negative or no number.
[[nodiscard]] parley::sim::timed::costs costs_of(const std::string& name_or_file);

// From the text of a file; `who` is named in errors.
[[nodiscard]] parley::sim::timed::costs costs_from(std::string_view text, const std::string& who);

// As a cost file has it; `notes` is where the numbers come from.
[[nodiscard]] std::string text_of(const parley::sim::timed::costs& c, const std::string& notes);

}  // namespace parley_cli
