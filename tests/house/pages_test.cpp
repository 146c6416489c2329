// Pages lead to each other: links, the index, and what sources name.

#include "tests/house/pages.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace house {
namespace {

const std::string root = PARLEY_SOURCE_DIR "/";
const breaches none;

const page_set& pages() {
    static const page_set all = read_pages(root);
    return all;
}

bool is_in_project(const std::string& path) { return std::filesystem::exists(root + path); }

TEST(Pages, RelativeLinksLeadToFilesAndHeadings) { EXPECT_EQ(link_breaches(pages(), is_in_project), none); }

TEST(Pages, TheGuideNeedsNoEvidence) { EXPECT_EQ(guide_breaches(pages()), none); }

TEST(Pages, TheIndexNamesEachPageOnce) { EXPECT_EQ(index_breaches(pages()), none); }

TEST(Pages, SourcesNamePagesThatAreThere) {
    source_tree sources = read_tree(
        root, {"parley", "cli", "programs", "peers", "bench", "tests", "cmake", "examples", "models", "packaging", "tools"});
    sources.erase("tests/house/pages_test.cpp");  // names pages that are none
    EXPECT_EQ(mention_breaches(sources, pages()), none);
}

TEST(PageRules, LinksInCodeAreNone) {
    EXPECT_EQ(links_of("[a](b.md) ![p](q.png), `[](int)`\n```cpp\nauto f = [](long);\n```\n[c](#d)\n"),
              (std::vector<std::string>{"b.md", "q.png", "#d"}));
}

TEST(PageRules, AnchorsAreThoseOfHeadings) {
    EXPECT_EQ(anchors_of("# The command `parley`\n```sh\n# none\n```\n## What, if?\ntext\n## What, if?\n#none\n"),
              (std::vector<std::string>{"the-command-parley", "what-if", "what-if-1"}));
}

TEST(PageRules, BrokenLinksAreSeen) {
    const auto count = [](const std::string& text) {
        return link_breaches({{"docs/guide/a.md", text}, {"docs/guide/b.md", "# B\n## Part\n"}},
                             [](const std::string& path) { return path == "examples" || path == "docs/p.png"; })
            .size();
    };
    EXPECT_EQ(count("[b](b.md) [p](b.md#part) [e](../../examples) [e](../../examples/) ![p](../p.png)"), 0U);
    EXPECT_EQ(count("[w](https://example.org/b#c)"), 0U);
    EXPECT_EQ(count("# A\n[a](#a)"), 0U);
    EXPECT_EQ(count("[b](../b.md)"), 1U);
    EXPECT_EQ(count("[b](b.md#parts) [a](#b) [e](../../examples#x)"), 3U);
}

TEST(PageRules, EvidenceInTheGuideIsSeen) {
    EXPECT_EQ(guide_breaches({{"docs/guide/a.md", "[x](../evidence/x.md) [i](../internals/i.md)"}}).size(), 1U);
    EXPECT_EQ(guide_breaches({{"docs/guide/a.md", "![x](../evidence/pictures/x.png)"}}).size(), 1U);
    EXPECT_EQ(guide_breaches({{"docs/internals/a.md", "[x](../evidence/x.md)"}}), none);
}

TEST(PageRules, PagesWithoutLineInTheIndexAreSeen) {
    EXPECT_EQ(index_breaches({{"docs/README.md", "[a](guide/a.md)"}, {"docs/guide/a.md", ""}}), none);
    EXPECT_EQ(index_breaches({{"docs/README.md", "[a](guide/a.md)"}, {"docs/evidence/b.md", ""}}).size(), 1U);
    EXPECT_EQ(index_breaches({{"docs/README.md", "[a](guide/a.md) [a](guide/a.md)"}, {"docs/guide/a.md", ""}}).size(), 1U);
    EXPECT_EQ(index_breaches({{"docs/internals/a.md", ""}}).size(), 1U);
}

TEST(PageRules, MentionsOfPagesThatHaveMovedAreSeen) {
    const page_set there = {{"docs/guide/a-b.md", ""}, {"docs/guide/a-c.md", ""}};
    const auto count = [&](const std::string& text) { return mention_breaches({{"parley/x.hpp", text}}, there).size(); };
    EXPECT_EQ(count("// (docs/guide/a-b.md) docs/guide/a-*.md"), 0U);
    EXPECT_EQ(count("// docs/a-b.md says more: docs/guide/a-b.md."), 1U);
    EXPECT_EQ(count("// docs/guide/c-*.md"), 1U);
}

}  // namespace
}  // namespace house
