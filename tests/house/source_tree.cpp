#include "tests/house/source_tree.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <ios>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace house {

namespace fs = std::filesystem;

namespace {

bool is_source(const fs::path& path) {
    static constexpr std::array<std::string_view, 8> endings = {".hpp", ".cpp", ".h", ".c", ".cmake", ".in", ".txt", ".sh"};
    static constexpr std::array<std::string_view, 4> names = {"Makefile", "setup", "run-all", "run"};
    const auto is = [&](std::string_view part) { return [=](std::string_view s) { return s == part; }; };
    const std::string ending = path.extension().string();
    const std::string name = path.filename().string();
    return std::any_of(endings.begin(), endings.end(), is(ending)) || std::any_of(names.begin(), names.end(), is(name));
}

void add(source_tree& tree, const fs::path& root, const fs::path& path) {
    if (fs::is_regular_file(path) && is_source(path)) {
        tree[path.lexically_relative(root).generic_string()] = read_file(path);
    }
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The project's file that an include in `from` means, or its name without delimiters.
std::string resolve(const source_tree& tree, const std::string& from, const std::string& include) {
    const std::string name = include.substr(1, include.size() - 2);
    if (include.front() == '"') {
        const auto beside = (fs::path(from).parent_path() / name).lexically_normal();
        if (tree.contains(beside.generic_string())) {
            return beside.generic_string();
        }
    }
    const std::string path = fs::path(name).lexically_normal().generic_string();
    const std::string of_cluster = "cluster/" + path;  // its folder is an include directory, too
    return tree.contains(of_cluster) ? of_cluster : path;
}

// Walks over C++ text and blanks what is not code.
class blanker {
public:
    blanker(std::string_view text, literals what) : text_(text), out_(text), what_(what) {}

    std::string run() {
        while (at_ < text_.size()) {
            step();
        }
        return out_;
    }

private:
    void step() {
        if (starts_with("//")) {
            blank_to(text_.find('\n', at_));
        } else if (starts_with("/*")) {
            blank_to(after("*/", at_ + 2));
        } else if (text_[at_] == '"' && is_raw()) {
            const std::size_t open = text_.find('(', at_);
            const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
            literal_to(after(close, open));
        } else if (text_[at_] == '"' || (text_[at_] == '\'' && !separates_digits())) {
            literal_to(end_of_quoted());
        } else {
            ++at_;
        }
    }

    bool starts_with(std::string_view s) const { return text_.substr(at_, s.size()) == s; }

    std::size_t after(std::string_view s, std::size_t from) const {
        const std::size_t found = text_.find(s, from);
        return found == std::string_view::npos ? found : found + s.size();
    }

    // R"( ... )" with the usual prefixes; `at_` is at the quote.
    bool is_raw() const {
        const std::string_view prefix = text_.substr(word_start(), at_ - word_start());
        return prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R";
    }

    // 1'000: the quote stands inside a number.
    bool separates_digits() const {
        return word_start() < at_ && std::isdigit(static_cast<unsigned char>(text_[word_start()])) != 0;
    }

    std::size_t word_start() const {
        std::size_t start = at_;
        while (start > 0 &&
               (is_word(text_[start - 1]) || (text_[start - 1] == '\'' && start > 1 && is_word(text_[start - 2])))) {
            --start;
        }
        return start;
    }

    std::size_t end_of_quoted() const {
        const char quote = text_[at_];
        std::size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
            end += text_[end] == '\\' ? 2U : 1U;
        }
        return end + 1;
    }

    bool in_include() const {
        const std::size_t begin = text_.rfind('\n', at_) + 1;                             // npos + 1 is 0
        const std::string_view line = std::string_view(out_).substr(begin, at_ - begin);  // without comments
        const std::size_t first = line.find_first_not_of(" \t");
        return first != std::string_view::npos && line[first] == '#' && line.find("include") != std::string_view::npos;
    }

    void literal_to(std::size_t end) {
        if (what_ == literals::blank && !in_include()) {
            blank_to(end);
        } else {
            at_ = std::min(end, text_.size());
        }
    }

    void blank_to(std::size_t end) {
        for (end = std::min(end, text_.size()); at_ < end; ++at_) {
            if (out_[at_] != '\n') {
                out_[at_] = ' ';
            }
        }
    }

    std::string_view text_;
    std::string out_;
    literals what_;
    std::size_t at_ = 0;
};

}  // namespace

source_tree read_tree(const fs::path& root, const std::vector<std::string>& folders) {
    source_tree tree;
    for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
        add(tree, root, entry.path());
    }
    for (const std::string& folder : folders) {
        if (!fs::is_directory(root / folder)) {
            continue;
        }
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
            add(tree, root, entry.path());
        }
    }
    return tree;
}

std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (in.peek() != std::ifstream::traits_type::eof()) {  // << of nothing counts as a failure
        text << in.rdbuf();
    }
    if (!in.is_open() || in.bad() || text.fail()) {
        throw std::runtime_error("cannot read " + path.string());
    }
    return text.str();
}

std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string without_comments(std::string_view text, literals what) { return blanker(text, what).run(); }

std::vector<std::string> includes_of(std::string_view text) {
    static const std::regex include(R"re(^\s*#\s*include(?:_next)?\s*(<[^>]+>|"[^"]+").*)re");
    std::vector<std::string> names;
    for (const std::string& line : split_lines(without_comments(text, literals::keep))) {
        std::smatch match;
        if (std::regex_match(line, match, include)) {
            names.push_back(match[1].str());
        }
    }
    return names;
}

std::vector<std::string> targets_of(const source_tree& tree, const std::string& path) {
    std::vector<std::string> targets;
    for (const std::string& include : includes_of(tree.at(path))) {
        targets.push_back(resolve(tree, path, include));
    }
    return targets;
}

}  // namespace house
