// What is said to people who mistyped.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace parley_programs {
struct program;
}

namespace parley_cli {

// Bad usage: exit 2. The message is one line that names the culprit and what is allowed.
struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum exit_status : int { succeeded = 0, failed = 1, bad_usage = 2, was_interrupted = 130 };

[[nodiscard]] std::string join(const std::vector<std::string>& words);

// The known word that is the fewest edits away (Levenshtein), or empty if none is near.
[[nodiscard]] std::string nearest(std::string_view typed, const std::vector<std::string>& known);

// "; did you mean 'uts'?", or empty.
[[nodiscard]] std::string suggestion(std::string_view typed, const std::vector<std::string>& known);

// Digits and nothing else, else empty; also empty for what does not fit.
[[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text);

// Empty if the scheduler is in this build, else what is wrong, what it needs to be built included.
[[nodiscard]] std::string complaint_about_scheduler(const std::string& name);

// The same, and also empty only if the program runs on it.
[[nodiscard]] std::string complaint_about_scheduler(const std::string& name, const parley_programs::program& on_it);

// What the user typed, fit for one line: control characters replaced, long text cut.
[[nodiscard]] std::string shown(std::string_view typed);

}  // namespace parley_cli
