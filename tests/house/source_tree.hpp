// The project's files as text, for rules that look at them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace house {

// Path from the project's root, as "parley/detail/base/rng.hpp", to the file's text.
using source_tree = std::map<std::string, std::string>;

// All sources (C, C++, CMake, shell, Make) in these folders of `root`, and those that lie in it directly.
source_tree read_tree(const std::filesystem::path& root, const std::vector<std::string>& folders);

// One file; throws std::runtime_error if it cannot be read.
std::string read_file(const std::filesystem::path& path);

std::vector<std::string> split_lines(std::string_view text);

// `text` with comments blanked, and literals too if asked (never an #include's name). Lines keep their
// numbers.
enum class literals { keep, blank };
std::string without_comments(std::string_view text, literals what);

// Names in the file's #include lines, with their delimiters: "<vector>", "\"rng.hpp\"".
std::vector<std::string> includes_of(std::string_view text);

// The files that `path` includes: those of the project by their path in the tree, others by their name alone.
std::vector<std::string> targets_of(const source_tree& tree, const std::string& path);

}  // namespace house
