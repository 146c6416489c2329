#include <parley/broker/own_threads.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace parley::inline v0::broker {

namespace {

// A program that makes threads faster than they can be found is not chased for ever.
constexpr int most_passes = 20;

std::vector<pid_t> threads_of_this_process() {
    std::vector<pid_t> all;
    std::error_code failed;
    for (auto i = std::filesystem::directory_iterator("/proc/self/task", failed);
         !failed && i != std::filesystem::directory_iterator(); i.increment(failed))
        all.push_back(static_cast<pid_t>(std::strtol(i->path().filename().c_str(), nullptr, 10)));
    return all;
}

}  // namespace

bool own_threads::confine_new(const cpu_set_t& all, const std::vector<core_id>& cores,
                              const std::vector<pid_t>& one_each, std::map<pid_t, bool>& seen) {
    bool any_new = false;
    for (const pid_t thread : threads_of_this_process()) {
        if (!seen.emplace(thread, true).second) continue;
        any_new = true;
        cpu_set_t now;
        if (sched_getaffinity(thread, sizeof now, &now) != 0) continue;  // it has ended
        const auto bound = std::find(one_each.begin(), one_each.end(), thread);
        if (bound != one_each.end()) {
            bound_before_.emplace(thread, now);
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cores[static_cast<std::size_t>(bound - one_each.begin()) % cores.size()], &one);
            sched_setaffinity(thread, sizeof one, &one);
        } else if (CPU_EQUAL(&now, &last_) || CPU_EQUAL(&now, &first_)) {
            sched_setaffinity(thread, sizeof all, &all);
        }
    }
    return any_new;
}

void own_threads::confine(const std::vector<core_id>& cores, const std::vector<pid_t>& one_each) {
    if (!is_on_) {
        sched_getaffinity(0, sizeof first_, &first_);  // of a thread that nobody binds
        last_ = first_;
        is_on_ = true;
    }
    cpu_set_t all;
    CPU_ZERO(&all);
    for (const core_id c : cores) CPU_SET(c, &all);
    std::map<pid_t, bool> seen;
    for (int i = 0; i < most_passes && confine_new(all, cores, one_each, seen); ++i) {
    }
    last_ = all;
}

void own_threads::release() {
    if (!is_on_) return;
    for (const auto& [thread, where] : bound_before_) sched_setaffinity(thread, sizeof where, &where);
    for (const pid_t thread : threads_of_this_process()) {
        cpu_set_t now;
        if (sched_getaffinity(thread, sizeof now, &now) == 0 && CPU_EQUAL(&now, &last_))
            sched_setaffinity(thread, sizeof first_, &first_);
    }
    bound_before_.clear();
    is_on_ = false;
}

}  // namespace parley::inline v0::broker
