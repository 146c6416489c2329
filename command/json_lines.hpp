// Where results go: JSON Lines that grow in FILE.partial and become FILE at the end.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley_cli {

// Where lines wait until FILE is complete; nowhere if it is written directly.
[[nodiscard]] std::optional<std::string> partial_of(const std::string& file);

// Writes each line out at once, so that an interrupted run leaves what it had in FILE.partial.
// What is not a regular file (a pipe, /dev/null) is written directly.
class json_lines {
public:
    // "-" is standard output. FILE.partial begins with lines that were there before and are kept, if there are any.
    // Throws usage_error if FILE or FILE.partial cannot be written.
    explicit json_lines(const std::string& file, const std::vector<std::string>& kept = {});

    // Removes a FILE.partial without lines.
    ~json_lines();

    json_lines(const json_lines&) = delete;
    json_lines& operator=(const json_lines&) = delete;

    // Both throw std::system_error if the system refuses (a full disk).
    void append(const std::string& line);
    void finish();

private:
    struct closer {
        void operator()(std::FILE* f) const noexcept;
    };

    void open_partial(const std::vector<std::string>& kept);

    std::string file_;
    std::string partial_;  // empty: written directly
    std::unique_ptr<std::FILE, closer> out_;
    bool empty_ = true;
};

}  // namespace parley_cli
