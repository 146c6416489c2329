#include "cli/broker/process_tree.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "cli/usage.hpp"

namespace parley_cli {
namespace {

// Entries of a folder that are numbers.
std::vector<pid_t> numbers_in(const std::string& folder) {
    const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), &closedir);
    std::vector<pid_t> numbers;
    while (open != nullptr) {
        const dirent* entry = readdir(open.get());
        if (entry == nullptr) {
            break;
        }
        if (const auto number = whole_number(entry->d_name)) {
            numbers.push_back(static_cast<pid_t>(*number));
        }
    }
    return numbers;
}

// What stands after the name in /proc/PID/stat, whose name may hold anything: state, parent ...
std::istringstream fields_of(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string all;
    std::getline(file, all, '\0');  // does not throw if the process goes meanwhile, as reading by iterators would
    const std::size_t end_of_name = all.rfind(')');
    return std::istringstream(end_of_name == std::string::npos ? "" : all.substr(end_of_name + 1));
}

// The system may be built without the files that list children.
bool children_are_listed() {
    static const bool are = access("/proc/thread-self/children", R_OK) == 0;
    return are;
}

using children_by_parent = std::multimap<pid_t, pid_t>;

children_by_parent everybodys_children() {
    children_by_parent all;
    for (const pid_t process : numbers_in("/proc")) {
        std::istringstream fields = fields_of(process);
        char state = 0;
        pid_t parent = 0;
        if (fields >> state >> parent) {
            all.emplace(parent, process);
        }
    }
    return all;
}

void add_listed_children(pid_t process, pid_t thread, std::vector<pid_t>& all) {
    std::ifstream file(fmt::format("/proc/{}/task/{}/children", process, thread));
    for (pid_t child = 0; file >> child;) {
        all.push_back(child);
    }
}

}  // namespace

std::vector<seen_process> descendants() {
    std::vector<pid_t> ids{getpid()};
    std::vector<seen_process> seen;
    const children_by_parent all = children_are_listed() ? children_by_parent{} : everybodys_children();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const pid_t id = ids[i];
        seen.push_back({id, numbers_in(fmt::format("/proc/{}/task", id))});
        for (const pid_t thread : seen.back().threads) {
            add_listed_children(id, thread, ids);
        }
        const auto [first, last] = all.equal_range(id);
        for (auto child = first; child != last; ++child) {
            ids.push_back(child->second);
        }
    }
    seen.erase(seen.begin());
    return seen;
}

std::uint64_t run_time_of(pid_t process) {
    constexpr std::uint64_t second = 1'000'000'000;
    clockid_t clock{};
    timespec own{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &own) != 0) {
        return 0;
    }
    std::istringstream fields = fields_of(process);
    std::string skipped;  // to those of the children
    for (int i = 0; i < 13; ++i) {
        fields >> skipped;
    }
    std::uint64_t user = 0;
    std::uint64_t system = 0;
    fields >> user >> system;
    static const auto ticks = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
    return static_cast<std::uint64_t>(own.tv_sec) * second + static_cast<std::uint64_t>(own.tv_nsec) +
           (user + system) * (second / ticks);
}

}  // namespace parley_cli
