// Rules about what a file includes of the standard library and reads from the environment, and about public headers.

#include "tests/house/rules.hpp"
#include "tests/house/standard_names.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace house {

namespace {

bool is_code(std::string_view path) {
    return path.ends_with(".hpp") || path.ends_with(".cpp") || path.ends_with(".h") || path.ends_with(".c");
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view word_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) {
        ++end;
    }
    return text.substr(at, end - at);
}

// "vector" of "std::vector<int>", "ranges::sort" of "std::ranges::sort(v)"; empty if `at` is not where std:: begins.
std::string_view standard_name_at(std::string_view text, std::size_t at) {
    static constexpr std::string_view prefix = "std::";
    const bool is_inside = at > 0 && (is_word(text[at - 1]) || text[at - 1] == ':') &&
                           !(text.substr(0, at).ends_with("::") && (at < 3 || !is_word(text[at - 3])));
    if (is_inside) {
        return {};
    }
    const std::size_t begin = at + prefix.size();
    const std::string_view first = word_at(text, begin);
    const std::size_t after = begin + first.size();
    if (first.empty() || !text.substr(after).starts_with("::")) {
        return first;
    }
    const std::string_view second = word_at(text, after + 2);
    // The name before is a namespace, or a class with a name in it: string::npos.
    return header_of(first).empty() ? text.substr(begin, first.size() + 2 + second.size()) : first;
}

// Which headers come with a file: those that it names and, by way of the project's own, those that these name.
class headers_brought {
public:
    explicit headers_brought(const source_tree& tree) : tree_(tree) {}

    bool by_itself(const std::string& path, std::string_view header) {
        const std::vector<std::string>& all = targets(path);
        return std::find(all.begin(), all.end(), header.substr(1, header.size() - 2)) != all.end();
    }

    bool by_whatever(const std::string& path, std::string_view header) {
        std::set<std::string, std::less<>>& all = brought_[path];
        if (all.empty()) {
            collect(path, all);
        }
        return all.contains(header.substr(1, header.size() - 2));
    }

private:
    const std::vector<std::string>& targets(const std::string& path) {
        const auto [at, is_new] = targets_.try_emplace(path);
        if (is_new && tree_.contains(path)) {
            at->second = targets_of(tree_, path);
        }
        return at->second;
    }

    void collect(const std::string& path, std::set<std::string, std::less<>>& all) {
        if (all.insert(path).second) {
            for (const std::string& target : targets(path)) {
                collect(target, all);
            }
        }
    }

    const source_tree& tree_;
    std::map<std::string, std::vector<std::string>> targets_;
    std::map<std::string, std::set<std::string, std::less<>>> brought_;
};

}  // namespace

breaches standard_include_breaches(const source_tree& tree) {
    headers_brought brought(tree);
    breaches found;
    for (const auto& [path, text] : tree) {
        if (!is_code(path) || text.find("std::") == std::string::npos) {
            continue;
        }
        std::set<std::string_view> seen;
        const std::vector<std::string> lines = split_lines(without_comments(text, literals::blank));
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::string_view line = lines[i];
            for (std::size_t at = line.find("std::"); at != std::string_view::npos; at = line.find("std::", at + 1)) {
                const std::string_view name = standard_name_at(line, at);
                const std::string_view header = header_of(name);
                if (header.empty() || !seen.insert(header).second) {
                    continue;
                }
                const bool is_there =
                    is_in_a_room(path) ? brought.by_itself(path, header) : brought.by_whatever(path, header);
                if (!is_there) {
                    found.push_back(path + ":" + std::to_string(i + 1) + ": std::" + std::string(name) + " without " +
                                    std::string(header));
                }
            }
        }
    }
    return found;
}

breaches environment_breaches(const source_tree& tree) {
    static constexpr std::string_view reader = "parley/detail/base/environment.hpp";
    breaches found;
    for (const auto& [path, text] : tree) {
        const bool is_installed = is_in_a_room(path) || path.find("command/") < path.size();
        if (!is_installed || !is_code(path) || path == reader) {
            continue;
        }
        const std::vector<std::string> lines = split_lines(without_comments(text, literals::blank));
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::size_t at = lines[i].find("getenv");
            if (at != std::string::npos && word_at(lines[i], at) == "getenv") {
                found.push_back(path + ":" + std::to_string(i + 1) + ": getenv");
            }
        }
    }
    return found;
}

breaches header_test_breaches(const source_tree& tree) {
    breaches found;
    for (const auto& [path, text] : tree) {
        const bool is_public = path.starts_with("parley/") && path.ends_with(".hpp") &&
                               path.find('/', std::string_view("parley/").size()) == std::string::npos;
        if (!is_public) {
            continue;
        }
        if (path != "parley/version.hpp" && targets_of(tree, path).front() != "parley/version.hpp") {
            found.push_back(path + " does not include parley/version.hpp first");
        }
        const std::string name = path.substr(7, path.size() - 7 - 4);
        const auto tests_it = [&](const auto& file) {
            const std::vector<std::string> targets = targets_of(tree, file.first);
            return targets.size() > 1 && targets[0] == path && targets[1] == path;
        };
        const bool is_tested = std::any_of(tree.begin(), tree.end(), [&](const auto& file) {
            return file.first.starts_with("tests/") && file.first.ends_with("/header_" + name + "_test.cpp") &&
                   tests_it(file);
        });
        if (!is_tested) {
            found.push_back(path + " has no test that it can be included alone");
        }
    }
    return found;
}

}  // namespace house
