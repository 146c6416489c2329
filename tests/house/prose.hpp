// Rules for comments, and for pages that walk through code. Each returns one line per breach.
#pragma once

#include "tests/house/rules.hpp"
#include "tests/house/source_tree.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace house {

// A comment of one or more lines, without its marks. The first line is number `line` of its file.
struct comment {
    std::size_t line = 0;
    std::vector<std::string> text;
};
std::vector<comment> comments_of(std::string_view source);

// The sentences of a comment. Items of lists, and lines that are indented by two spaces or more, end the sentence before.
std::vector<std::string> sentences_of(const comment& c);

// These rules look at the files below `folder`.

// No sentence of a comment begins with "The same": it names what it means.
breaches same_breaches(const source_tree& tree, std::string_view folder);

// No comment says "whoever": it says which thread, worker or object it means.
breaches whoever_breaches(const source_tree& tree, std::string_view folder);

// No sentence of a comment has more than 25 words.
inline constexpr std::size_t most_words = 25;
breaches sentence_breaches(const source_tree& tree, std::string_view folder);

// The functions that a page names as `name()`, each once.
std::vector<std::string> functions_of(std::string_view markdown);

// Each name in a page's code spans, as `name()` or `of::it`, stands in the code of one of the files that the page names, and
// these files are there: `driver/idle.hpp` below parley/detail/, `scope.hpp` or `parley/scope.hpp` below parley/.
breaches name_breaches(std::string_view markdown, const source_tree& sources);

}  // namespace house
