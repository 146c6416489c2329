// What the README shows is what the examples compile: each ```cpp block stands right below a line
// <!-- example: examples/NAME.cpp --> and equals the file's lines between // [readme] and // [readme].

#include "tests/house/source_tree.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct code_block {
    std::string example; // path, or empty if no comment names one
    std::string text;
};

std::vector<code_block> cpp_blocks(const std::string& markdown) {
    static const std::string open = "<!-- example: ";
    static const std::string close = " -->";
    std::vector<code_block> blocks;
    std::string before;
    bool inside = false;
    for (const std::string& line : house::split_lines(markdown)) {
        if (!inside && line.starts_with("```cpp")) {
            inside = true;
            const bool named = before.starts_with(open) && before.ends_with(close);
            blocks.push_back(
                {named ? before.substr(open.size(), before.size() - open.size() - close.size()) : "", ""});
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
    for (std::string line; std::getline(lines, line);)
        shifted += (line.size() > common ? line.substr(common) : "") + "\n";
    return shifted;
}

std::string readme_region(const std::string& source) {
    std::string region;
    int marks = 0;
    for (const std::string& line : house::split_lines(source)) {
        if (line.find("// [readme]") != std::string::npos) {
            ++marks;
        } else if (marks == 1) {
            region += line + "\n";
        }
    }
    if (marks != 2) {
        throw std::runtime_error("there must be two lines // [readme], not " + std::to_string(marks));
    }
    return without_common_indentation(region);
}

const std::string root = PARLEY_SOURCE_DIR "/";

TEST(Readme, ShowsWhatTheExamplesCompile) {
    const std::vector<code_block> blocks = cpp_blocks(house::read_file(root + "README.md"));
    ASSERT_FALSE(blocks.empty()) << "the README shows no code";
    for (const code_block& block : blocks) {
        ASSERT_TRUE(block.example.starts_with("examples/")) << "no example named above:\n" << block.text;
        EXPECT_EQ(block.text, readme_region(house::read_file(root + block.example))) << block.example;
    }
}

TEST(ReadmeRules, BlocksAreFound) {
    const auto blocks = cpp_blocks("# A\n```\nmake\n```\n<!-- example: examples/a.cpp -->\n```cpp\n"
                                   "int x;\n\nint y;\n```\ntext\n```cpp\nint z;\n```\n");
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(blocks[0].example, "examples/a.cpp");
    EXPECT_EQ(blocks[0].text, "int x;\n\nint y;\n");
    EXPECT_EQ(blocks[1].example, "");
    EXPECT_EQ(blocks[1].text, "int z;\n");
}

TEST(ReadmeRules, RegionIsBetweenItsMarks) {
    EXPECT_EQ(readme_region("a\n// [readme]\nb\n  c\n// [readme]\nd\n"), "b\n  c\n");
    EXPECT_EQ(readme_region("// [readme]\n    b\n\n      c\n// [readme]\n"), "b\n\n  c\n");
    EXPECT_THROW(readme_region("a\n"), std::runtime_error);
    EXPECT_THROW(readme_region("// [readme]\na\n"), std::runtime_error);
}

} // namespace
