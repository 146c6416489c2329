#include "tests/house/parts.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace house {

namespace {

constexpr std::string_view runtime_folder = "parley/detail/runtime/";
constexpr std::string_view worker_header = "parley/detail/runtime/worker.hpp";
constexpr std::string_view pool_header = "parley/detail/runtime/pool.hpp";
constexpr std::size_t most_members_of_core = 15;

// What stands between the braces of a class, and what it inherits.
struct class_text {
    std::string bases;
    std::string body;
    bool begins_public;
};

class_text find_class(std::string_view text, const std::string& name) {
    const std::string code = without_comments(text, literals::blank);
    const std::regex head("(class|struct)\\s+(?:alignas\\([^)]*\\)\\s*)?" + name + R"((?:\s+final)?\s*(:[^{;]*)?\{)");
    std::smatch match;
    if (!std::regex_search(code, match, head)) throw std::runtime_error("no class " + name);
    const auto begin = static_cast<std::size_t>(match.position(0) + match.length(0));
    std::size_t end = begin;
    for (int depth = 1; depth > 0 && end < code.size(); ++end) depth += code[end] == '{' ? 1 : code[end] == '}' ? -1 : 0;
    return {match[2], code.substr(begin, end - begin - 1), match[1] == "struct"};
}

struct declaration {
    std::string text;  // without what stands in braces
    bool is_public;
};

// What stands in braces belongs to the declaration before it. It ends that of a function, and what follows is another one.
std::vector<declaration> declarations_of(const class_text& in) {
    static const std::regex access(R"(^\s*(public|private|protected)\s*:)");
    std::vector<declaration> all;
    bool is_public = in.begins_public;
    std::string open;
    const auto close = [&] {
        std::smatch match;
        while (std::regex_search(open, match, access)) {
            is_public = match[1] == "public";
            open = match.suffix();
        }
        if (std::any_of(open.begin(), open.end(), [](unsigned char c) { return std::isgraph(c) != 0; }))
            all.push_back({open, is_public});
        open.clear();
    };
    int depth = 0;
    for (std::size_t i = 0; i < in.body.size(); ++i) {
        const char c = in.body[i];
        if (c == '{') ++depth;
        if (depth == 0 && c == ';') close();
        else if (depth == 0) open += c;
        if (c != '}' || --depth > 0) continue;
        const std::size_t next = in.body.find_first_not_of(" \n", i + 1);
        const bool goes_on =
            next != std::string::npos && (in.body[next] == ';' || in.body[next] == ',' || in.body[next] == '{');
        if (open.find('(') != std::string::npos && !goes_on) close();
    }
    close();
    return all;
}

// Without attributes, and without the default value.
std::string plain(const std::string& text) {
    static const std::regex attribute(R"(\[\[.*?\]\])");
    const std::string bare = std::regex_replace(text, attribute, "");
    return bare.substr(0, bare.find('='));
}

// Without what stands between < and >.
std::string without_arguments(const std::string& text) {
    std::string left;
    int depth = 0;
    for (const char c : text) {
        if (c == '<') ++depth;
        if (depth == 0) left += c;
        if (c == '>') --depth;
    }
    return left;
}

const std::string& text_of(const source_tree& tree, std::string_view path) {
    const auto found = tree.find(std::string(path));
    if (found == tree.end()) throw std::runtime_error("no file " + std::string(path));
    return found->second;
}

// Types that the functions of a class return a reference to, where each has a const twin or is one: its parts.
std::set<std::string> parts_of(const source_tree& tree, std::string_view header, const std::string& function) {
    const std::regex returns(R"((?:threading::)?(\w+)&\s+)" + function + R"(\(\))");
    const std::string code = without_comments(text_of(tree, header), literals::blank);
    std::set<std::string> types;
    for (std::sregex_iterator i(code.begin(), code.end(), returns), end; i != end; ++i) types.insert((*i)[1]);
    types.erase("auto");
    return types;
}

// The header of runtime/ that defines it; empty: none does.
std::string header_of(const source_tree& tree, const std::string& type) {
    const std::regex defines("(class|struct)\\s+(?:alignas\\([^)]*\\)\\s*)?" + type + R"(\s*(:[^{;]*)?\{)");
    for (auto at = tree.lower_bound(std::string(runtime_folder)); at != tree.end() && at->first.starts_with(runtime_folder);
         ++at)
        if (at->first.ends_with(".hpp") && at->second.find(type) != std::string::npos &&
            std::regex_search(at->second, defines))
            return at->first;
    return {};
}

// Those of a worker, and those of a pool.
std::set<std::string> all_parts(const source_tree& tree) {
    std::set<std::string> types;
    for (const std::string& way : ways_to_parts(tree)) types.merge(parts_of(tree, worker_header, way));
    for (const data_member& m : data_members_of(text_of(tree, pool_header), "pool")) {
        if (m.name.size() < 2 || m.name.back() != '_') continue;
        types.merge(parts_of(tree, pool_header, m.name.substr(0, m.name.size() - 1)));
    }
    std::erase_if(types, [&](const std::string& type) { return header_of(tree, type).empty(); });
    return types;
}

bool is_inside(std::string_view path) {
    // A medium of threads takes lab/papers/threads.hpp in.
    return path.starts_with(runtime_folder) || path == "lab/papers/threads.hpp";
}

bool is_outside(std::string_view path) {
    const bool is_code = path.ends_with(".hpp") || path.ends_with(".cpp");
    return is_code && !is_inside(path) &&
           (path.starts_with("parley/") || path.starts_with("broker/") || path.starts_with("cluster/") ||
            path.starts_with("lab/") || path.starts_with("command/") || path.starts_with("examples/"));
}

}  // namespace

std::vector<data_member> data_members_of(std::string_view text, const std::string& name) {
    static const std::regex other(R"(^\s*(using|friend|enum|class|struct|union|template|static_assert|static|typedef)\b)");
    static const std::regex operation(R"(\boperator\b)");
    static const std::regex last_word(R"((\w+)\s*(\[[^\]]*\]\s*)*$)");
    std::vector<data_member> all;
    for (const declaration& d : declarations_of(find_class(text, name))) {
        const std::string text_of_it = plain(d.text);
        std::smatch match;
        if (std::regex_search(text_of_it, other) || std::regex_search(d.text, operation)) continue;
        if (without_arguments(text_of_it).find('(') != std::string::npos) continue;
        if (std::regex_search(text_of_it, match, last_word)) all.push_back({match[1], d.is_public});
    }
    return all;
}

std::vector<std::string> public_functions_of(std::string_view text, const std::string& name) {
    static const std::regex called(R"((~?\w+)\s*\()");
    static const std::regex other(R"(^\s*(using|friend|enum|class|struct|union|static_assert|typedef)\b)");
    std::set<std::string> names;
    for (const declaration& d : declarations_of(find_class(text, name))) {
        const std::string text_of_it = without_arguments(plain(d.text));
        std::smatch match;
        if (!d.is_public || std::regex_search(text_of_it, other)) continue;
        if (std::regex_search(text_of_it, match, called)) names.insert(match[1]);
    }
    names.erase(name);
    names.erase("~" + name);
    return {names.begin(), names.end()};
}

std::vector<std::string> ways_to_parts(const source_tree& tree) {
    std::vector<std::string> ways = public_functions_of(text_of(tree, worker_header), "worker");
    std::erase_if(ways, [](const std::string& name) { return !name.ends_with("_part"); });
    return ways;
}

breaches public_data_breaches(const source_tree& tree) {
    breaches found;
    for (const auto& [path, name] : {std::pair(worker_header, "worker"), std::pair(pool_header, "pool")})
        for (const data_member& m : data_members_of(text_of(tree, path), name))
            if (m.is_public) found.push_back(std::string(path) + ": " + name + "::" + m.name);
    return found;
}

breaches part_breaches(const source_tree& tree) {
    std::string any;
    for (const std::string& way : ways_to_parts(tree)) any += (any.empty() ? "" : "|") + way;
    if (any.empty()) return {std::string(worker_header) + ": no function leads to a part"};
    const std::regex reaches(R"((?:\.|->)\s*()" + any + R"()\s*\()");
    breaches found;
    for (const auto& [path, text] : tree) {
        if (!is_outside(path) || text.find("_part") == std::string::npos) continue;
        const std::vector<std::string> lines = split_lines(without_comments(text, literals::blank));
        for (std::size_t i = 0; i < lines.size(); ++i) {
            std::smatch match;
            if (std::regex_search(lines[i], match, reaches))
                found.push_back(path + ":" + std::to_string(i + 1) + ": " + match[1].str());
        }
    }
    return found;
}

breaches owner_breaches(const source_tree& tree) {
    static const std::regex who(R"(\b(threads?|[Aa]nybody|worker'?s?)\b)"),
        may(R"(\b(touch(es)?|writes?|reads?|asks?|takes?)\b)");
    breaches found;
    for (const std::string& type : all_parts(tree)) {
        const std::string path = header_of(tree, type);
        const std::string& text = text_of(tree, path);
        const std::string words = text.substr(0, text.find("#pragma"));
        if (!words.starts_with("//") || !std::regex_search(words, who) || !std::regex_search(words, may))
            found.push_back(path + ": who may touch it?");
    }
    return found;
}

breaches core_breaches(const source_tree& tree) {
    breaches found;
    const std::size_t members = data_members_of(text_of(tree, pool_header), "pool").size();
    if (members > most_members_of_core)
        found.push_back(std::string(pool_header) + ": " + std::to_string(members) + " data members");
    const auto look = [&](std::string_view path, const std::string& name) {
        if (const class_text c = find_class(text_of(tree, path), name); !c.bases.empty())
            found.push_back(std::string(path) + ": " + name + c.bases);
    };
    look(worker_header, "worker");
    look(pool_header, "pool");
    for (const std::string& type : all_parts(tree)) look(header_of(tree, type), type);
    return found;
}

}  // namespace house
