// The rules of standard_includes.cpp see a breach when there is one.

#include "tests/house/rules.hpp"
#include "tests/house/standard_names.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace house;

const breaches none;

TEST(StandardNames, KnowTheirHeader) {
    EXPECT_EQ(header_of("uint32_t"), "<cstdint>");
    EXPECT_EQ(header_of("is_same_v"), "<type_traits>");
    EXPECT_EQ(header_of("is_sorted"), "<algorithm>");
    EXPECT_EQ(header_of("chrono::seconds"), "<chrono>");
    EXPECT_EQ(header_of("ranges::sort"), "<algorithm>");
    EXPECT_EQ(header_of("ranges::range_value_t"), "<ranges>");
    EXPECT_EQ(header_of("begin"), "");
}

TEST(StandardIncludes, ANameWithoutItsHeaderIsSeen) {
    const auto count = [](const std::string& text) { return standard_include_breaches({{"parley/x.hpp", text}}).size(); };
    EXPECT_EQ(count("std::uint32_t x;\n"), 1U);
    EXPECT_EQ(count("#include <cstdint>\nstd::uint32_t x;\n"), 0U);
    EXPECT_EQ(count("#include <vector>\nstd::vector<std::size_t> x;\n"), 1U);
    EXPECT_EQ(count("::std::optional<int> x;\n"), 1U);
    EXPECT_EQ(count("auto x = std::ranges::find(v, 1);\n"), 1U);
    EXPECT_EQ(count("std::string::size_type n;\n"), 1U);
    EXPECT_EQ(count("// std::vector\n/* std::vector */ auto s = \"std::vector\";\n"), 0U);
    EXPECT_EQ(count("other::std::vector x; my_std::vector y;\n"), 0U);
    EXPECT_EQ(standard_include_breaches({{"parley/x.hpp", "\nint a; std::byte b; std::size_t c;\n"}}),
              (breaches{"parley/x.hpp:2: std::byte without <cstddef>"}));
}

TEST(StandardIncludes, AHeaderOfOursBringsThemOutsideTheLibrary) {
    const source_tree tree = {{"parley/a.hpp", "#include <vector>\n"},
                              {"parley/b.cpp", "#include <parley/a.hpp>\nstd::vector<int> v;\n"},
                              {"tests/b.hpp", "#include <parley/a.hpp>\n"},
                              {"tests/b.cpp", "#include \"b.hpp\"\nstd::vector<int> v;\n"}};
    EXPECT_EQ(standard_include_breaches(tree), (breaches{"parley/b.cpp:2: std::vector without <vector>"}));
}

TEST(Environment, OtherReadersAreSeen) {
    const auto count = [](const std::string& path, const std::string& text) {
        return environment_breaches({{path, text}}).size();
    };
    EXPECT_EQ(count("parley/x.cpp", "auto p = std::getenv(\"P\");\n"), 1U);
    EXPECT_EQ(count("lab/command/x.cpp", "auto p = getenv(\"P\");\n"), 1U);
    EXPECT_EQ(count("parley/x.cpp", "// getenv\n"), 0U);
    EXPECT_EQ(count("tests/x.cpp", "auto p = getenv(\"P\");\n"), 0U);
}

TEST(PublicHeaders, WithoutATestAreSeen) {
    const std::string twice = "#include <parley/x.hpp>\n#include <parley/x.hpp>\n";
    source_tree tree = {{"parley/x.hpp", "#include <parley/version.hpp>\n"}, {"tests/parley/api/header_x_test.cpp", twice}};
    EXPECT_EQ(header_test_breaches(tree), none);
    tree["tests/parley/api/header_x_test.cpp"] = "#include <vector>\n" + twice;
    EXPECT_EQ(header_test_breaches(tree).size(), 1U);
    tree["tests/parley/api/header_x_test.cpp"] = twice;
    tree["parley/x.hpp"] = "#include <vector>\n#include <parley/version.hpp>\n";
    EXPECT_EQ(header_test_breaches(tree).size(), 1U);
}

}  // namespace
