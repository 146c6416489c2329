// How large the house is for those who use it. Each test prints its figure, and says what is too much.
#include "tests/house/rules.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace house;

const source_tree& library() {
    static const source_tree tree = read_tree(PARLEY_SOURCE_DIR, {"parley", "broker", "cluster", "lab"});
    return tree;
}

std::set<std::string> reached_from(std::vector<std::string> open) {
    std::set<std::string> reached;
    while (!open.empty()) {
        const std::string next = open.back();
        open.pop_back();
        if (!library().contains(next) || !reached.insert(next).second) continue;
        for (const std::string& target : targets_of(library(), next)) open.push_back(target);
    }
    return reached;
}

bool is_public(const std::string& path) {
    return std::filesystem::path(path).parent_path() == "parley" && path.ends_with(".hpp");
}

std::size_t count(const std::string& text, const char* pattern) {
    const std::regex what(pattern);
    return static_cast<std::size_t>(
        std::distance(std::sregex_iterator(text.begin(), text.end(), what), std::sregex_iterator()));
}

// What is installed of the library are its public headers, what they include, and tasking's (cmake/ParleyInstall.cmake).
TEST(Figures, HeadersThatAreInstalled) {
    std::vector<std::string> open;
    for (const auto& [path, text] : library())
        if (is_public(path)) open.push_back(path);
    const std::size_t headers = reached_from(open).size();
    std::printf("installed headers of the library: %zu\n", headers);
    EXPECT_LE(headers, 170U);
    EXPECT_GT(headers, 50U);
}

TEST(Figures, HeadersOfForkJoin) {
    const std::set<std::string> reached = reached_from({"parley/fork_join.hpp"});
    std::printf("headers that fork_join.hpp includes, itself among them: %zu\n", reached.size());
    EXPECT_LE(reached.size(), 55U);
    for (const std::string& path : reached) EXPECT_TRUE(path.starts_with("parley/")) << path;
}

TEST(Figures, FieldsOfTheOptions) {
    const std::string& text = library().at("parley/options.hpp");
    const std::size_t begin = text.find("struct options {");
    const std::string fields = without_comments(text.substr(begin, text.find("\n};", begin) - begin), literals::keep);
    const std::size_t number = count(fields, R"(\n    [\w:]+ \w+( =|\{)[^\n]*;)");
    std::printf("fields of options: %zu\n", number);
    EXPECT_LE(number, 15U);
    EXPECT_GE(number, 10U);
}

TEST(Figures, VariablesOfTheEnvironment) {
    std::set<std::string> names;
    const std::regex variable(R"re("(PARLEY_[A-Z_]+)")re");
    for (const auto& [path, text] : library()) {
        if (!path.starts_with("parley/") && !path.starts_with("broker/client/") && !path.starts_with("cluster/parley/"))
            continue;
        for (std::sregex_iterator i(text.begin(), text.end(), variable), end; i != end; ++i) names.insert((*i)[1]);
    }
    names.erase("PARLEY_ROOT");  // CMake's, which the library only knows by name
    std::string all;
    for (const std::string& name : names) all += " " + name;
    std::printf("variables of the environment: %zu:%s\n", names.size(), all.c_str());
    EXPECT_LE(names.size(), 12U);
    EXPECT_GE(names.size(), 8U);
}

}  // namespace
