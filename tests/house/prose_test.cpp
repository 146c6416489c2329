// Comments are plain sentences, as far as that can be counted, and pages name what is in the code.

#include "tests/house/prose.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace house {
namespace {

const breaches none;

const source_tree& library() {
    static const source_tree tree = read_tree(PARLEY_SOURCE_DIR, {"parley"});
    return tree;
}

std::string page(const char* path) { return read_file(std::string(PARLEY_SOURCE_DIR "/") + path); }

// The part of overview.md that walks from a fork to its result.
std::string walk() {
    const std::string text = page("docs/internals/overview.md");
    return text.substr(0, text.find("\n## "));
}

TEST(Prose, CommentsAreSeen) {
    std::size_t comments = 0;
    for (const auto& [path, text] : library()) comments += comments_of(text).size();
    EXPECT_GT(comments, 1000U);
}

TEST(Prose, NoSentenceBeginsWithTheSame) { EXPECT_EQ(same_breaches(library(), "parley/"), none); }

TEST(Prose, CommentsSayWhoDoesIt) { EXPECT_EQ(whoever_breaches(library(), "parley/"), none); }

TEST(Prose, SentencesInCommentsAreShort) { EXPECT_EQ(sentence_breaches(library(), "parley/"), none); }

TEST(Prose, PagesNameWhatIsInTheirFiles) {
    EXPECT_EQ(name_breaches(page("parley/detail/driver/sleeping.md"), library()), none);
    EXPECT_EQ(name_breaches(walk(), library()), none);
    EXPECT_GT(functions_of(page("parley/detail/driver/sleeping.md")).size(), 30U);
}

TEST(Prose, TheWalkFromForkToResultNamesTwelveFunctions) {
    EXPECT_LE(functions_of(walk()).size(), 12U);
    EXPECT_GE(functions_of(walk()).size(), 8U);
}

TEST(ProseRules, CommentsAreFoundWithTheirLines) {
    const auto all = comments_of(
        "// One,\n// two.\nint a;  // three\nint b;  // four\n        // five\n// six\nauto s = \"// none\"; /* seven */\n"
        "/// eight\n/*\n * nine\n */\n");
    std::vector<std::string> seen;
    for (const comment& c : all) {
        std::string text = std::to_string(c.line);
        for (const std::string& line : c.text) text += "|" + line;
        seen.push_back(text);
    }
    EXPECT_EQ(seen,
              (std::vector<std::string>{"1|One,|two.", "3|three", "4|four|five", "6|six", "7|seven", "8|eight||nine|"}));
}

TEST(ProseRules, SentencesEndWhereListsBegin) {
    const comment c{1,
                    {"A rule", "has steps:", "1. The first", "   goes on. It ends.", "2. The second", "Then", "all.", "",
                     "  name   a row", "  other  a row", "What now?"}};
    EXPECT_EQ(sentences_of(c),
              (std::vector<std::string>{"A rule has steps:", "1.", "The first goes on.", "It ends.", "2.", "The second",
                                        "Then all.", "name a row", "other a row", "What now?"}));
}

TEST(ProseRules, TheSameIsSeen) {
    const auto count = [](const std::string& text) { return same_breaches({{"parley/x.hpp", text}}, "parley/").size(); };
    EXPECT_EQ(count("// The same without a slot.\n"), 1U);
    EXPECT_EQ(count("int x;  // The same.\n"), 1U);
    EXPECT_EQ(count("/// The same,\n/// but later.\nint x;  /* The same */\n"), 2U);
    EXPECT_EQ(count("// It runs. The same again.\n"), 1U);
    EXPECT_EQ(count("// It does the same, as do\n// The same ones.\nauto s = \"// The same\";\n"), 0U);
    EXPECT_EQ(same_breaches({{"lab/x.hpp", "// The same.\n"}, {"parley/x.md", "// The same.\n"}}, "parley/"), none);
}

TEST(ProseRules, WhoeverIsSeen) {
    EXPECT_EQ(
        whoever_breaches({{"parley/x.hpp", "// Whoever asks, and\n// whoever waits. Nobody.\nint whoever;\n"}}, "parley/"),
        (breaches{"parley/x.hpp:1: Whoever asks, and whoever waits."}));
}

TEST(ProseRules, LongSentencesAreSeen) {
    const auto sentence = [](std::size_t words) {
        std::string text = "//";
        for (std::size_t i = 0; i < words; ++i) text += i % 10 == 9 ? " word\n//" : " word";
        return text + ".\n";
    };
    const auto count = [](const std::string& text) { return sentence_breaches({{"parley/x.hpp", text}}, "parley/").size(); };
    EXPECT_EQ(count(sentence(most_words)), 0U);
    EXPECT_EQ(count(sentence(most_words + 1)), 1U);
    EXPECT_EQ(count(sentence(most_words + 1) + "int x;\n" + sentence(most_words + 1)), 2U);
    EXPECT_EQ(count(sentence(most_words) + sentence(most_words)), 0U);
}

TEST(ProseRules, NamesThatAreNotInThePagesFilesAreSeen) {
    const source_tree sources = {{"parley/detail/driver/a.hpp", "void go();  // stop()\nint bits_of;\n"},
                                 {"parley/b.hpp", "void leave();\n"}};
    const auto count = [&](const std::string& text) { return name_breaches(text, sources).size(); };
    EXPECT_EQ(count("`driver/a.hpp`: `go()`, `here::go()` and `a::bits_of`; `x + y` and `lab/models`\n```\n`none()`\n```\n"),
              0U);
    EXPECT_EQ(count("`driver/a.hpp`: `stop()`"), 1U);
    EXPECT_EQ(count("`driver/a.hpp`: `leave()`, `bits_of()`"), 2U);
    EXPECT_EQ(count("`parley/b.hpp`: `leave()`"), 0U);
    EXPECT_EQ(count("`driver/c.hpp`"), 1U);
    EXPECT_EQ(functions_of("`go()` `leave()` `go()` `go` `a::b()`"), (std::vector<std::string>{"go", "leave"}));
}

}  // namespace
}  // namespace house
