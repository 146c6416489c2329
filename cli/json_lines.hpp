// Where results go: JSON Lines that grow in FILE.partial and become FILE at the end.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace parley_cli {

/// Writes each line out at once, so that an interrupted run leaves what it had in FILE.partial.
/// What is not a regular file (a pipe, /dev/null) is written directly.
class json_lines {
public:
    /// "-" is standard output. Throws usage_error if FILE or FILE.partial cannot be written.
    explicit json_lines(const std::string& file);

    /// Removes a FILE.partial without lines.
    ~json_lines();

    json_lines(const json_lines&) = delete;
    json_lines& operator=(const json_lines&) = delete;

    /// Both throw std::system_error if the system refuses (a full disk).
    void append(const std::string& line);
    void finish();

private:
    struct closer {
        void operator()(std::FILE* f) const noexcept;
    };

    void open_partial();

    std::string file_;
    std::string partial_;  // empty: written directly
    std::unique_ptr<std::FILE, closer> out_;
    bool empty_ = true;
};

}  // namespace parley_cli
