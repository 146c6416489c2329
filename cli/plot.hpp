// Pictures of benchmarks, drawn by matplotlib in a process of its own.
#pragma once

#include <string>
#include <vector>

namespace parley_cli {

/// Throws usage_error if nothing can be drawn there: the folder cannot be made or written, or there
/// is no python3 with matplotlib.
void require_plotting(const std::string& folder);

/// Draws lines of JSON into FOLDER/speedup.svg and FOLDER/speedup.png. Throws std::runtime_error.
void plot(const std::vector<std::string>& lines, const std::string& folder);

}  // namespace parley_cli
