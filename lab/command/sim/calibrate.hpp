// Measures what things cost on this machine.
#pragma once

#include <string>

namespace parley_cli {

// Writes a cost file; "-": to standard output. Returns the exit status. Throws usage_error.
[[nodiscard]] int calibrate(const std::string& file);

}  // namespace parley_cli
