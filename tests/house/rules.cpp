#include "tests/house/rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace house {

namespace {

using rooms = std::set<std::string, std::less<>>;

// What each room may include. "public" is parley/*.hpp; three files of it every room may have: the version, the errors and
// the options, which include nothing of ours but the version. The broker, the cluster and the laboratory have houses of
// their own: no room of parley/ includes theirs.
const std::map<std::string, rooms, std::less<>>& allowed_rooms() {
    static const auto with = [](rooms below, std::initializer_list<std::string> more) {
        below.insert(more);
        return below;
    };
    static const rooms plain = {"version", "errors", "options"};
    static const rooms pure = with(plain, {"base", "protocol", "policy", "stacks", "driver"});
    static const rooms runtime_and_below = with(pure, {"sync", "trace", "runtime"});
    static const std::map<std::string, rooms, std::less<>> table = {
        {"version", {}},
        {"errors", {"version"}},
        {"options", {"version"}},
        {"base", with(plain, {"base"})},
        {"stacks", with(plain, {"base", "stacks"})},
        {"sync", with(plain, {"base", "sync"})},
        {"protocol", with(plain, {"base", "protocol"})},
        {"trace", with(plain, {"base", "sync", "trace"})},
        {"policy", with(plain, {"base", "protocol", "policy"})},
        {"driver", pure},
        {"runtime", runtime_and_below},
        {"farm", with(runtime_and_below, {"public", "farm"})},
        {"tasking", with(runtime_and_below, {"public", "tasking"})},
        {"algorithm", with(runtime_and_below, {"public", "algorithm"})},
        {"std_execution", with(runtime_and_below, {"public", "algorithm", "std_execution"})},
        {"coroutine", with(runtime_and_below, {"public", "coroutine"})},
        {"public", with(runtime_and_below, {"farm", "public", "algorithm", "std_execution", "coroutine"})},
        {"cluster", with(runtime_and_below, {"public", "cluster"})},
        {"broker/policy", with(plain, {"base", "broker/policy"})},
        {"broker/client", with(runtime_and_below, {"broker/policy", "broker/client"})},
        {"broker/daemon", with(runtime_and_below, {"broker/policy", "broker/client", "broker/daemon"})},
        {"lab/papers", with(plain, {"base", "protocol", "sync", "lab/papers"})},
        {"lab/sim", with(pure, {"farm", "cluster", "broker/policy", "lab/papers", "lab/sim"})},
    };
    return table;
}

bool is_in(std::string_view path, std::string_view folder) { return path.starts_with(folder); }

// Folder and room.
constexpr std::pair<std::string_view, std::string_view> other_houses[] = {
    {"cluster/parley/", "cluster"},      {"broker/policy/", "broker/policy"}, {"broker/client/", "broker/client"},
    {"broker/daemon/", "broker/daemon"}, {"lab/papers/", "lab/papers"},       {"lab/sim/", "lab/sim"}};

// "base" of "parley/detail/base/rng.hpp", "farm" of "parley/farm/words.hpp", "lab/sim" of "lab/sim/explorer.hpp".
std::string room_of(std::string_view path) {
    for (const auto& [folder, room] : other_houses) {
        if (is_in(path, folder)) {
            return std::string(room);
        }
    }
    for (const std::string_view name : {"version", "errors", "options"}) {
        if (path == "parley/" + std::string(name) + ".hpp") {
            return std::string(name);
        }
    }
    path.remove_prefix(std::string_view("parley/").size());
    if (is_in(path, "detail/")) {
        path.remove_prefix(std::string_view("detail/").size());
    }
    const std::size_t slash = path.find('/');
    return slash == std::string_view::npos ? "public" : std::string(path.substr(0, slash));
}

bool is_cpp(std::string_view path) {
    return path.ends_with(".hpp") || path.ends_with(".cpp") || path.ends_with(".h") || path.ends_with(".c");
}

bool is_library_file(std::string_view path) { return is_in_a_room(path) && is_cpp(path); }

bool is_outside_library(std::string_view target) {
    static constexpr std::string_view folders[] = {"command/",      "lab/command/", "broker/command/", "cluster/command/",
                                                   "lab/programs/", "lab/peers/",   "lab/bench/",      "lab/explore/",
                                                   "lab/memory/",   "tests/",       "examples/"};
    return std::any_of(std::begin(folders), std::end(folders),
                       [&](std::string_view folder) { return is_in(target, folder); });
}

void visit(const source_tree& tree, const std::string& path, std::set<std::string>& done, std::vector<std::string>& open,
           breaches& found) {
    const auto on_way = std::find(open.begin(), open.end(), path);
    if (on_way != open.end()) {
        std::string circle;
        std::for_each(on_way, open.end(), [&](const std::string& step) { circle += step + " -> "; });
        found.push_back(circle + path);
        return;
    }
    if (!tree.contains(path) || !done.insert(path).second) {
        return;
    }
    open.push_back(path);
    for (const std::string& target : targets_of(tree, path)) {
        visit(tree, target, done, open, found);
    }
    open.pop_back();
}

std::set<std::string> reached_from(const source_tree& tree, const std::string& path) {
    std::set<std::string> reached;
    std::vector<std::string> open = {path};
    while (!open.empty()) {
        const std::string next = open.back();
        open.pop_back();
        if (tree.contains(next) && reached.insert(next).second) {
            const std::vector<std::string> targets = targets_of(tree, next);
            open.insert(open.end(), targets.begin(), targets.end());
        }
    }
    return reached;
}

// Lines of code, without comments and literals, in which `pattern` is found.
void find_in_code(const std::string& path, const std::string& text, const std::regex& pattern, breaches& found) {
    const std::vector<std::string> lines = split_lines(without_comments(text, literals::blank));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::smatch match;
        if (std::regex_search(lines[i], match, pattern)) {
            found.push_back(path + ":" + std::to_string(i + 1) + ": " + match.str());
        }
    }
}

// std::regex is slow: most files need none.
bool has_any_of(const std::string& text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return text.find(w) != std::string::npos; });
}

}  // namespace

bool is_in_a_room(std::string_view path) {
    return is_in(path, "parley/") || std::any_of(std::begin(other_houses), std::end(other_houses),
                                                 [&](const auto& house) { return is_in(path, house.first); });
}

breaches layer_breaches(const source_tree& tree) {
    breaches found;
    for (const auto& [path, text] : tree) {
        if (!is_library_file(path)) {
            continue;
        }
        const auto allowed = allowed_rooms().find(room_of(path));
        if (allowed == allowed_rooms().end()) {
            found.push_back(path + " is in a room that the plan does not have");
            continue;
        }
        for (const std::string& target : targets_of(tree, path)) {
            const bool leads_up = is_in_a_room(target) && !allowed->second.contains(room_of(target));
            if (leads_up || is_outside_library(target)) {
                found.push_back(path + " includes " + target);
            }
        }
    }
    return found;
}

breaches cycle_breaches(const source_tree& tree) {
    breaches found;
    std::set<std::string> done;
    std::vector<std::string> open;
    for (const auto& [path, text] : tree) {
        if (is_cpp(path)) {
            visit(tree, path, done, open, found);
        }
    }
    return found;
}

breaches sim_breaches(const source_tree& tree) {
    static const rooms impure = {"sync", "trace", "runtime", "public"};
    breaches found;
    for (const auto& [path, text] : tree) {
        if (!is_library_file(path) || room_of(path) != "lab/sim") {
            continue;
        }
        for (const std::string& target : reached_from(tree, path)) {
            if (is_library_file(target) && impure.contains(room_of(target))) {
                found.push_back(path + " reaches " + target);
            }
        }
    }
    return found;
}

breaches atomic_breaches(const source_tree& tree) {
    // std::regex has no look-behind: what is allowed is taken out first.
    static const std::regex harmless(R"(\b(asm|__asm__|__asm)\s+(volatile|__volatile__)|\bvolatile\s+(std::)?sig_atomic_t)");
    static const std::regex forbidden(R"(\batomic(_\w+)?\b|\b_Atomic\b|\b__atomic_\w+|\b__sync_\w+|\bmemory_order\w*)"
                                      R"(|\bvolatile\b|\bSYS_futex\w*|\b__NR_futex\w*|\bFUTEX2?_\w+|\blinux/futex\.h)");
    breaches found;
    for (const auto& [path, text] : tree) {
        if (is_library_file(path) && room_of(path) != "sync" &&
            has_any_of(text, {"atomic", "_Atomic", "__sync_", "memory_order", "volatile", "futex", "FUTEX"})) {
            find_in_code(path, std::regex_replace(text, harmless, ""), forbidden, found);
        }
    }
    return found;
}

breaches purity_breaches(const source_tree& tree) {
    static const std::regex outer_world(
        R"(<(thread|chrono|mutex|shared_mutex|atomic|condition_variable|future|semaphore|latch|barrier)"
        R"(|stop_token|ctime|time\.h|pthread\.h|unistd\.h|poll\.h|sys/\w+\.h|netinet/\w+\.h|arpa/\w+\.h)>)");
    static const std::regex allocation(
        R"(\b(malloc|calloc|realloc|aligned_alloc|make_unique|make_shared)\b|\bnew\s+[^\s(])");
    breaches found;
    for (const auto& [path, text] : tree) {
        if (!is_library_file(path)) {
            continue;
        }
        const std::string room = room_of(path);
        if (room == "protocol" || room == "base" || room == "lab/papers") {
            for (const std::string& include : includes_of(text)) {
                if (std::regex_match(include, outer_world)) {
                    found.push_back(path + " includes " + include);
                }
            }
        }
        if (room == "protocol" || room == "lab/papers") {
            find_in_code(path, text, allocation, found);
        }
    }
    return found;
}

namespace {

// "250 us" of std::chrono::microseconds(250) and of 250 * microsecond, "64" of 64 and of 1U << 6; empty of all else.
std::string value_of(const std::string& words) {
    static const std::regex in_chrono(R"(.*\b(nano|micro|milli|)seconds\((\d+)\))");
    static const std::regex in_virtual_time(R"((\d+) \* (nano|micro|milli|)second)");
    static const std::regex number(R"((?:std::\w+\{)?(\d+)[Uu]?\}?(?: << (\d+))?)");
    static const std::map<std::string, std::uint64_t, std::less<>> nanoseconds = {
        {"nano", 1}, {"micro", 1000}, {"milli", 1'000'000}, {"", 1'000'000'000}};
    std::smatch m;
    if (std::regex_match(words, m, in_chrono)) {
        return std::to_string(std::stoull(m[2]) * nanoseconds.at(m[1])) + " ns";
    }
    if (std::regex_match(words, m, in_virtual_time)) {
        return std::to_string(std::stoull(m[1]) * nanoseconds.at(m[2])) + " ns";
    }
    if (!std::regex_match(words, m, number)) {
        return {};
    }
    static constexpr std::uint64_t least_count = 32;
    const std::uint64_t count = std::stoull(m[1]) << (m[2].matched ? std::stoul(m[2]) : 0);
    return count < least_count ? "" : std::to_string(count);
}

// Each value with the constants that have it, in these folders.
std::map<std::string, std::vector<std::string>> constants_of(const source_tree& tree,
                                                             std::initializer_list<std::string_view> folders) {
    static const std::regex constant(R"(\bconstexpr [^=;()]*\b(\w+) = ([^;=,]+)[;,])");
    std::map<std::string, std::vector<std::string>> found;
    for (const auto& [path, text] : tree) {
        if (std::none_of(folders.begin(), folders.end(), [&](std::string_view f) { return is_in(path, f); })) {
            continue;
        }
        const std::string code =
            std::regex_replace(without_comments(text, literals::blank), std::regex("(\\d)'(?=\\d)"), "$1");
        for (std::sregex_iterator i(code.begin(), code.end(), constant), end; i != end; ++i) {
            if (const std::string value = value_of((*i)[2]); !value.empty()) {
                found[value].push_back(path + ": " + (*i)[1].str());
            }
        }
    }
    return found;
}

}  // namespace

breaches constant_breaches(const source_tree& tree) {
    const auto ours = constants_of(tree, {"parley/detail/policy/", "parley/detail/driver/"});
    breaches found;
    for (const auto& [value, names] : constants_of(tree, {"lab/sim/timed/"})) {
        const auto twice = ours.find(value);
        if (twice == ours.end()) {
            continue;
        }
        for (const std::string& name : names) {
            if (!is_in(name, "lab/sim/timed/time.hpp")) {  // units
                found.push_back(name + " is " + value + ", as is " + twice->second.front());
            }
        }
    }
    return found;
}

breaches length_breaches(const source_tree& tree) {
    static constexpr std::size_t longest = 600;
    breaches found;
    for (const auto& [path, text] : tree) {
        const std::size_t lines = split_lines(text).size();
        if (is_library_file(path) && lines > longest) {
            found.push_back(path + " has " + std::to_string(lines) + " lines");
        }
    }
    return found;
}

breaches mark_breaches(const source_tree& tree) {
    static const std::regex mark(R"(\b(TO)"
                                 R"(DO|FIX)"
                                 R"(ME)\b)");  // apart, or this line is one
    breaches found;
    for (const auto& [path, text] : tree) {
        if (!has_any_of(text, {"TO"
                               "DO",
                               "FIX"
                               "ME"})) {
            continue;
        }
        const std::vector<std::string> lines = split_lines(text);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (std::regex_search(lines[i], mark)) {
                found.push_back(path + ":" + std::to_string(i + 1) + ": " + lines[i]);
            }
        }
    }
    return found;
}

std::size_t count_inner_includes(const source_tree& tree) {
    std::size_t count = 0;
    for (const auto& [path, text] : tree) {
        if (is_library_file(path)) {
            const std::vector<std::string> targets = targets_of(tree, path);
            count += static_cast<std::size_t>(
                std::count_if(targets.begin(), targets.end(), [&](const auto& target) { return tree.contains(target); }));
        }
    }
    return count;
}

}  // namespace house
