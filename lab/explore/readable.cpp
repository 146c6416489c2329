#include <lab/explore/readable.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace parley::explore {

namespace {

constexpr std::array names{"reads", "writes", "changes", "locks",     "unlocks",    "tries to lock", "waits",
                           "wakes", "begins", "joins",   "gives way", "is blocked", "is signalled",  "ends"};

std::uintptr_t begin_of_program() {
    Dl_info info{};
    return dladdr(reinterpret_cast<const void*>(&begin_of_program), &info) != 0
               ? reinterpret_cast<std::uintptr_t>(info.dli_fbase)
               : 0;
}

std::string path_of_program() {
    std::array<char, 4096> path{};
    return readlink("/proc/self/exe", path.data(), path.size() - 1) > 0 ? path.data() : "";
}

// Function and line of each address, as addr2line(1) says; empty without it. The innermost function is that of the atomic.
std::map<const void*, std::string> places(const std::set<const void*>& addresses) {
    std::map<const void*, std::string> named;
    std::ostringstream command;
    command << "addr2line -Cfe '" << path_of_program() << "' -p -i" << std::hex;
    const std::uintptr_t begin = begin_of_program();
    std::vector<const void*> order(addresses.begin(), addresses.end());
    for (const void* a : order) command << " 0x" << reinterpret_cast<std::uintptr_t>(a) - begin - 1;
    command << " 2>/dev/null";
    std::FILE* const lines = order.empty() ? nullptr : popen(command.str().c_str(), "r");
    if (lines == nullptr) return named;
    std::array<char, 8192> line{};
    std::size_t at = 0;
    constexpr unsigned most_frames = 5;
    unsigned frames = 0;
    while (std::fgets(line.data(), line.size(), lines) != nullptr) {
        std::string text(line.data());
        while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
        const bool is_inline = text.starts_with(" (inlined by) ");
        if (!is_inline) {
            ++at;
            frames = 0;
        } else {
            text.erase(0, std::string(" (inlined by) ").size());
        }
        if (at == 0 || at > order.size() || frames++ >= most_frames) continue;
        std::string& into = named[order[at - 1]];
        const std::size_t file = text.rfind(" at ");
        std::string function = text.substr(0, file);
        if (const std::size_t arguments = function.find('('); arguments != std::string::npos) function.resize(arguments);
        if (const std::size_t name = function.rfind("::"); name != std::string::npos) function.erase(0, name + 2);
        const std::size_t name = text.rfind('/');
        into += (into.empty() ? "" : " < ") + function + " " + (name == std::string::npos ? "" : text.substr(name + 1));
    }
    (void)pclose(lines);
    return named;
}

}  // namespace

std::string text_of_steps(const report& r) {
    std::set<const void*> addresses;
    std::uint32_t begin = 0;
    while (begin < r.steps && !r.log[begin].may_deviate) ++begin;
    if (begin == r.steps) begin = 0;
    constexpr std::uint32_t most = 3000;
    if (r.steps - begin > most) begin = r.steps - most;
    for (std::uint32_t i = begin; i < r.steps; ++i)
        if (r.log[i].where != nullptr) addresses.insert(r.log[i].where);
    const auto named = places(addresses);
    std::string text;
    for (std::uint32_t i = begin; i < r.steps; ++i) {
        const step& s = r.log[i];
        text += std::to_string(i) + ": " + std::string(s.thread * std::size_t{2}, ' ') + std::to_string(s.thread) + " " +
                names[static_cast<std::size_t>(s.what)] + " " + std::to_string(s.object);
        if (const auto at = named.find(s.where); at != named.end()) text += ", " + at->second;
        if (s.next != s.thread) text += "; " + std::to_string(s.next) + (s.next == s.by_itself ? " goes on" : " GOES ON");
        text += '\n';
    }
    return text;
}

}  // namespace parley::explore
