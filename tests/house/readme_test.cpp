// What the README and some pages show is what the examples compile: each block of C or C++ stands right below a line
// <!-- example: examples/NAME.cpp [mark] --> and equals the file's lines between // [mark] and // [mark]. Without a mark
// it is [readme].

#include "tests/house/source_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct code_block {
    std::string example;  // path, or empty if no comment names one
    std::string mark;
    std::string text;
};

// "examples/a.cpp [loop]" and "examples/a.cpp".
code_block named(const std::string& words) {
    const std::size_t open = words.find(" [");
    if (open == std::string::npos || !words.ends_with("]")) return {words, "readme", ""};
    return {words.substr(0, open), words.substr(open + 2, words.size() - open - 3), ""};
}

std::vector<code_block> cpp_blocks(const std::string& markdown) {
    static const std::string open = "<!-- example: ";
    static const std::string close = " -->";
    std::vector<code_block> blocks;
    std::string before;
    bool inside = false;
    for (const std::string& line : house::split_lines(markdown)) {
        if (!inside && (line.starts_with("```cpp") || line == "```c")) {
            inside = true;
            const bool has_name = before.starts_with(open) && before.ends_with(close);
            blocks.push_back(named(has_name ? before.substr(open.size(), before.size() - open.size() - close.size()) : ""));
        } else if (inside && line.starts_with("```")) {
            inside = false;
        } else if (inside) {
            blocks.back().text += line + "\n";
        }
        before = line;
    }
    return blocks;
}

// The example has the block inside a function; README shows it at the margin.
std::string without_common_indentation(const std::string& text) {
    std::size_t common = std::string::npos;
    std::istringstream measured(text);
    for (std::string line; std::getline(measured, line);)
        if (const std::size_t indent = line.find_first_not_of(' '); indent != std::string::npos)
            common = std::min(common, indent);
    std::string shifted;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) shifted += (line.size() > common ? line.substr(common) : "") + "\n";
    return shifted;
}

std::string marked_region(const std::string& source, const std::string& mark) {
    const std::string wanted = "// [" + mark + "]";
    std::string region;
    int marks = 0;
    for (const std::string& line : house::split_lines(source)) {
        if (line.ends_with(wanted)) {
            ++marks;
        } else if (marks == 1) {
            region += line + "\n";
        }
    }
    if (marks != 2) {
        throw std::runtime_error("there must be two lines " + wanted + ", not " + std::to_string(marks));
    }
    return without_common_indentation(region);
}

const std::string root = PARLEY_SOURCE_DIR "/";

void expect_shows_what_examples_compile(const std::string& page) {
    const std::vector<code_block> blocks = cpp_blocks(house::read_file(root + page));
    ASSERT_FALSE(blocks.empty()) << page << " shows no code";
    for (const code_block& block : blocks) {
        ASSERT_TRUE(block.example.starts_with("examples/")) << page << ": no example named above:\n" << block.text;
        EXPECT_EQ(block.text, marked_region(house::read_file(root + block.example), block.mark))
            << page << ": " << block.example << " [" << block.mark << "]";
    }
}

TEST(Readme, ShowsWhatTheExamplesCompile) { expect_shows_what_examples_compile("README.md"); }

TEST(Pages, ShowWhatTheExamplesCompile) {
    for (const std::string page : {"coming-from-onetbb", "coming-from-openmp", "coming-from-cilk", "coming-from-std-thread",
                                   "tasking", "loops", "algorithms", "standard-algorithms", "start"})
        expect_shows_what_examples_compile("docs/guide/" + page + ".md");
}

TEST(ReadmeRules, BlocksAreFound) {
    const auto blocks = cpp_blocks(
        "# A\n```\nmake\n```\n<!-- example: examples/a.cpp -->\n```cpp\n"
        "int x;\n\nint y;\n```\ntext\n```cpp\nint z;\n```\n"
        "<!-- example: examples/b.c [loop] -->\n```c\nint c;\n```\n");
    ASSERT_EQ(blocks.size(), 3U);
    EXPECT_EQ(blocks[0].example, "examples/a.cpp");
    EXPECT_EQ(blocks[0].mark, "readme");
    EXPECT_EQ(blocks[0].text, "int x;\n\nint y;\n");
    EXPECT_EQ(blocks[1].example, "");
    EXPECT_EQ(blocks[1].text, "int z;\n");
    EXPECT_EQ(blocks[2].example, "examples/b.c");
    EXPECT_EQ(blocks[2].mark, "loop");
    EXPECT_EQ(blocks[2].text, "int c;\n");
}

TEST(ReadmeRules, RegionIsBetweenItsMarks) {
    EXPECT_EQ(marked_region("a\n// [readme]\nb\n  c\n// [readme]\nd\n", "readme"), "b\n  c\n");
    EXPECT_EQ(marked_region("// [readme]\n    b\n\n      c\n// [readme]\n", "readme"), "b\n\n  c\n");
    EXPECT_EQ(marked_region("// [a]\nx\n// [a]\n  // [b]\n  y\n  // [b]\n", "b"), "y\n");
    EXPECT_THROW(marked_region("a\n", "readme"), std::runtime_error);
    EXPECT_THROW(marked_region("// [readme]\na\n", "readme"), std::runtime_error);
}

}  // namespace
