#include "tests/house/prose.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

namespace house {

namespace {

// A line of a comment: where it begins, whether code stands before it, and its text with marks.
struct comment_line {
    std::size_t column = 0;
    bool is_behind_code = false;
    std::string text;
};

bool is_blank(std::string_view s) { return s.find_first_not_of(" \t") == std::string_view::npos; }

// `code` is the line with its comments blanked.
comment_line comment_in(const std::string& line, const std::string& code) {
    const auto first = std::mismatch(line.begin(), line.end(), code.begin(), code.end()).first;
    const auto column = static_cast<std::size_t>(first - line.begin());
    std::size_t end = line.size();
    while (end > column && code[end - 1] == line[end - 1]) --end;
    return {column, !is_blank(std::string_view(code).substr(0, column)), line.substr(column, end - column)};
}

std::string without_marks(const std::string& text) {
    static const std::regex marks(R"(^(///?<?|/\*+|\*+/?) ?|\s*\*+/\s*$)");
    return std::regex_replace(text, marks, "");
}

std::size_t indentation_of(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

bool begins_item(const std::string& line) {
    static const std::regex item(R"(\s*(\d+\.|[-*]) .*)");
    return std::regex_match(line, item);
}

// Pieces of text that no sentence crosses.
class pieces {
public:
    void add(const std::string& line) {
        const std::size_t indentation = indentation_of(line);
        if (is_blank(line)) {
            is_open_ = false;
        } else if (begins_item(line)) {
            begin(line, indentation, true);
        } else if (indentation >= 2) {
            if (is_open_ && is_item_ && indentation > indentation_) all_.back() += " " + line;
            else begin(line, indentation, true);
        } else if (is_open_ && !is_item_) {
            all_.back() += " " + line;
        } else {
            begin(line, indentation, false);
        }
    }
    [[nodiscard]] const std::vector<std::string>& all() const noexcept { return all_; }

private:
    void begin(const std::string& line, std::size_t indentation, bool is_item) {
        all_.push_back(line);
        indentation_ = indentation;
        is_item_ = is_item;
        is_open_ = true;
    }

    std::vector<std::string> all_;
    std::size_t indentation_ = 0;
    bool is_item_ = false, is_open_ = false;
};

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

bool ends_sentence(const std::string& word) {
    const std::size_t last = word.find_last_not_of("\"')");
    return last != std::string::npos && std::string_view(".?!").find(word[last]) != std::string_view::npos;
}

template <class Look>
breaches look_at_comments(const source_tree& tree, std::string_view folder, Look look) {
    breaches found;
    for (const auto& [path, text] : tree) {
        const bool is_source = path.ends_with(".hpp") || path.ends_with(".cpp") || path.ends_with(".h");
        if (!path.starts_with(folder) || !is_source) continue;
        for (const comment& c : comments_of(text))
            for (const std::string& what : look(c)) found.push_back(path + ":" + std::to_string(c.line) + ": " + what);
    }
    return found;
}

// What stands in code spans, outside of fenced code.
std::vector<std::string> spans_of(std::string_view markdown) {
    static const std::regex span("`([^`]+)`");
    std::vector<std::string> spans;
    bool is_fenced = false;
    for (const std::string& line : split_lines(markdown)) {
        if (line.starts_with("```")) is_fenced = !is_fenced;
        if (is_fenced) continue;
        for (std::sregex_iterator i(line.begin(), line.end(), span), end; i != end; ++i) spans.push_back((*i)[1].str());
    }
    return spans;
}

// The file that a page means, or an empty string.
std::string file_of(const std::string& span, const source_tree& sources) {
    for (const char* const folder : {"", "parley/", "parley/detail/"})
        if (sources.contains(folder + span)) return folder + span;
    return "";
}

bool stands_in(const std::string& code, const std::string& name, bool is_called) {
    return std::regex_search(code, std::regex("\\b" + name + (is_called ? "\\s*\\(" : "\\b")));
}

}  // namespace

std::vector<comment> comments_of(std::string_view source) {
    const std::vector<std::string> lines = split_lines(source);
    const std::vector<std::string> codes = split_lines(without_comments(source, literals::keep));
    std::vector<comment> all;
    comment_line before;
    std::size_t end = 0;  // of the last comment
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i] == codes[i]) continue;
        comment_line here = comment_in(lines[i], codes[i]);
        const bool goes_on =
            !all.empty() && end == i && !here.is_behind_code && (!before.is_behind_code || here.column == before.column);
        if (!goes_on) all.push_back({i + 1, {}});
        all.back().text.push_back(without_marks(here.text));
        end = i + 1;
        here.is_behind_code = here.is_behind_code || (goes_on && before.is_behind_code);
        before = here;
    }
    return all;
}

std::vector<std::string> sentences_of(const comment& c) {
    pieces text;
    for (const std::string& line : c.text) text.add(line);
    std::vector<std::string> sentences;
    for (const std::string& piece : text.all()) {
        bool is_new = true;
        for (const std::string& word : words_of(piece)) {
            if (is_new) sentences.push_back(word);
            else sentences.back() += " " + word;
            is_new = ends_sentence(word);
        }
    }
    return sentences;
}

breaches same_breaches(const source_tree& tree, std::string_view folder) {
    static const std::regex beginning("^The same\\b");
    return look_at_comments(tree, folder, [](const comment& c) {
        breaches found;
        for (const std::string& sentence : sentences_of(c))
            if (std::regex_search(sentence, beginning)) found.push_back(sentence);
        return found;
    });
}

breaches whoever_breaches(const source_tree& tree, std::string_view folder) {
    static const std::regex word("\\bwhoever\\b", std::regex::icase);
    return look_at_comments(tree, folder, [](const comment& c) {
        breaches found;
        for (const std::string& sentence : sentences_of(c))
            if (std::regex_search(sentence, word)) found.push_back(sentence);
        return found;
    });
}

breaches sentence_breaches(const source_tree& tree, std::string_view folder) {
    return look_at_comments(tree, folder, [](const comment& c) {
        breaches found;
        for (const std::string& sentence : sentences_of(c))
            if (const std::size_t words = words_of(sentence).size(); words > most_words)
                found.push_back(std::to_string(words) + " words: " + sentence);
        return found;
    });
}

std::vector<std::string> functions_of(std::string_view markdown) {
    static const std::regex function(R"((\w+)\(\))");
    std::set<std::string> names;
    for (const std::string& span : spans_of(markdown))
        if (std::smatch m; std::regex_match(span, m, function)) names.insert(m[1].str());
    return {names.begin(), names.end()};
}

breaches name_breaches(std::string_view markdown, const source_tree& sources) {
    static const std::regex file(R"([\w/]+\.[hc]pp)"), name(R"((?:\w+::)*([A-Za-z_]\w*)(\(\))?)");
    breaches found;
    std::vector<std::string> codes;
    const std::vector<std::string> spans = spans_of(markdown);
    for (const std::string& span : spans) {
        if (!std::regex_match(span, file)) continue;
        const std::string path = file_of(span, sources);
        if (path.empty()) found.push_back("no file " + span);
        else codes.push_back(without_comments(sources.at(path), literals::blank));
    }
    for (const std::string& span : spans) {
        std::smatch m;
        if (!std::regex_match(span, m, name)) continue;
        const auto has_it = [&](const std::string& code) { return stands_in(code, m[1].str(), m[2].matched); };
        if (std::none_of(codes.begin(), codes.end(), has_it)) found.push_back("none of the page's files has " + span);
    }
    return found;
}

}  // namespace house
