// Pictures of benchmarks, drawn by matplotlib in a process of its own.
#pragma once

#include <string>
#include <vector>

namespace parley_cli {

// Throws usage_error, in the name of that command, if nothing can be drawn there: the folder cannot be made or written,
// or there is no python3 with matplotlib.
void require_plotting(const std::string& command, const std::string& folder);

// A script in Python that draws, as lab/command/plot.py does, and what its pictures are called.
struct drawing {
    const char* script;
    std::string name;
};

// Of `parley bench`: speedups.
[[nodiscard]] drawing speedups();

// Of a suite whose workloads have names: speedups, and deviations from the best.
[[nodiscard]] drawing deviations(const std::string& suite);

// Of a sweep of `parley sim`: speedup and efficiency over what is swept. Each line has that in `swept`.
[[nodiscard]] drawing sweeps();

// Throws usage_error, in the name of that command, if one of what plot() writes there cannot be written.
void require_drawable(const std::string& command, const drawing& what, const std::string& folder);

// Writes lines of JSON into FOLDER/NAME.jsonl and has FOLDER/NAME.svg and FOLDER/NAME.png drawn of them. Throws
// std::runtime_error.
void plot(const drawing& what, const std::vector<std::string>& lines, const std::string& folder);

}  // namespace parley_cli
