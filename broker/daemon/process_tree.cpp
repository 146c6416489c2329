#include <broker/daemon/process_tree.hpp>

#include <broker/client/clock.hpp>
#include <broker/daemon/process_folder.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <dirent.h>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <time.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace parley::inline v0::broker::service {
namespace {

// Entries of a folder that are numbers, no more than so many.
std::vector<pid_t> numbers_in(const std::string& folder, std::size_t most = ~std::size_t{0}) {
    struct folder_closer {
        void operator()(DIR* d) const noexcept { closedir(d); }
    };
    const std::unique_ptr<DIR, folder_closer> open(opendir(folder.c_str()));
    std::vector<pid_t> numbers;
    while (open != nullptr && numbers.size() < most) {
        const dirent* entry = readdir(open.get());
        if (entry == nullptr) break;
        const std::string_view name = entry->d_name;
        pid_t number = 0;
        const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (error == std::errc{} && rest == name.data() + name.size()) numbers.push_back(number);
    }
    return numbers;
}

// The system may be built without the files that list children.
bool children_are_listed() {
    static const bool are = access("/proc/thread-self/children", R_OK) == 0;
    return are;
}

using children_by_parent = std::multimap<pid_t, pid_t>;

children_by_parent everybodys_children() {
    children_by_parent all;
    for (const pid_t process : numbers_in("/proc"))
        if (const pid_t parent = process_folder(process).parent(); parent != 0) all.emplace(parent, process);
    return all;
}

// A child whose parent ends meanwhile may be listed as another one's, too.
class found_processes {
public:
    found_processes(pid_t root, std::size_t most) : most_(most) { add(root, 0); }
    bool add(pid_t process, pid_t parent) {
        if (all.size() >= most_) return false;
        if (known_.insert(process).second) all.push_back({process, parent, {}});
        return true;
    }
    std::vector<seen_process> all;

private:
    std::size_t most_;
    std::set<pid_t> known_;
};

void add_listed_children(pid_t process, pid_t thread, found_processes& found) {
    std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/children");
    for (pid_t child = 0; file >> child && found.add(child, process);) {}
}

// What `act` does to each thread of each process that is still the one that was seen, as parent and child: no more than
// so many.
template <class Act>
void for_each_in_tree(pid_t root, int pidfd, Act act) noexcept try {
    if (root <= 0) return;
    std::size_t left = most_threads;
    for (const seen_process& p : process_tree(root, most_threads)) {
        const process_folder folder(p.id);
        if (has_ended(pidfd)) return;
        if (!folder || (p.id != root && folder.parent() != p.parent)) continue;
        const auto count_and_act = [&](pid_t thread) {
            --left;
            act(thread);
        };
        (void)folder.for_threads(left, 0, count_and_act);
    }
} catch (const std::exception&) {  // no memory: next time
}

}  // namespace

std::vector<seen_process> process_tree(pid_t root, std::size_t most) {
    found_processes found(root, most);
    std::vector<seen_process>& all = found.all;
    const children_by_parent unlisted = children_are_listed() ? children_by_parent{} : everybodys_children();
    std::size_t i = 0;
    for (std::size_t left = most; i < all.size() && left > 0; ++i) {
        const pid_t id = all[i].id;
        std::vector<pid_t> threads = numbers_in("/proc/" + std::to_string(id) + "/task", left);
        left -= std::max<std::size_t>(threads.size(), 1);
        for (const pid_t thread : threads) add_listed_children(id, thread, found);
        const auto [first, last] = unlisted.equal_range(id);
        for (auto child = first; child != last; ++child) found.add(child->second, id);
        all[i].threads = std::move(threads);
    }
    all.resize(i);
    return std::move(all);
}

nanoseconds run_time_with_dead(pid_t process) {
    constexpr nanoseconds second = 1'000'000'000;
    clockid_t clock = 0;
    if (clock_getcpuclockid(process, &clock) != 0) return 0;
    timespec own{};
    if (clock_gettime(clock, &own) != 0) return 0;
    std::istringstream fields(process_folder(process).fields());
    std::string skipped;  // to those of the children
    for (int i = 0; i < 13; ++i) fields >> skipped;
    nanoseconds user = 0, system = 0;
    fields >> user >> system;
    static const auto ticks = static_cast<nanoseconds>(sysconf(_SC_CLK_TCK));
    return static_cast<nanoseconds>(own.tv_sec) * second + static_cast<nanoseconds>(own.tv_nsec) +
           (user + system) * (second / ticks);
}

std::optional<nanoseconds> run_time_of_tree(pid_t root, int pidfd) noexcept try {
    if (root <= 0) return std::nullopt;
    nanoseconds sum = 0;
    for (const seen_process& p : process_tree(root, most_threads)) sum += run_time_with_dead(p.id);
    return has_ended(pidfd) ? std::nullopt : std::optional(sum);
} catch (const std::exception&) {  // no memory
    return std::nullopt;
}

confined confine_tree(pid_t root, int pidfd, const core_set& to) noexcept {
    confined done;
    for_each_in_tree(root, pidfd, [&](pid_t thread) { confine_thread(thread, to, done); });
    return done;
}

void set_tree_free(pid_t root, int pidfd, const core_set& from, const core_set& to) noexcept {
    for_each_in_tree(root, pidfd, [&](pid_t thread) { set_thread_free(thread, from, to); });
}

}  // namespace parley::inline v0::broker::service
