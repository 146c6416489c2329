// Files that are written when all is done, and looked at before anything runs.
#pragma once

#include <string>

namespace parley_cli {

// Throws usage_error, in the name of that option of a command ("parley run: --trace"), if the file cannot be written.
// Makes it, and leaves what is in it.
void require_writable(const std::string& option, const std::string& file);

// Would one of them replace the other? Devices take both; "-" is no file.
[[nodiscard]] bool is_same_file(const std::string& one, const std::string& other);

// Throws std::system_error if the system refuses (a full disk).
void write_whole_file(const std::string& file, const std::string& text);

}  // namespace parley_cli
