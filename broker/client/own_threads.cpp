#include <broker/client/own_threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <sched.h>
#include <set>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {

namespace {

// A program that makes threads faster than they can be found is not chased for ever.
constexpr int most_passes = 20;

std::optional<std::vector<pid_t>> threads_of_this_process() {
    std::vector<pid_t> all;
    std::error_code failed;
    for (auto i = std::filesystem::directory_iterator("/proc/self/task", failed);
         !failed && i != std::filesystem::directory_iterator(); i.increment(failed))
        all.push_back(static_cast<pid_t>(std::strtol(i->path().filename().c_str(), nullptr, 10)));
    return all.empty() ? std::nullopt : std::optional(all);
}

cpu_set_t mask_of(pid_t thread) {
    cpu_set_t now;
    CPU_ZERO(&now);
    sched_getaffinity(thread, sizeof now, &now);
    return now;
}

struct allotted {
    std::vector<core_id> cores;
    std::vector<pid_t> own;
    std::vector<own_threads::bound_thread> bound;
    pid_t messenger = 0;
};

// Of the process.
class registry {
public:
    static registry& here() {
        static registry one;
        return one;
    }

    bool set(const void* whose, std::optional<allotted> what) {
        const std::scoped_lock guard(mutex_);
        forget_parent();
        if (what) all_[whose] = std::move(*what);
        else if (all_.erase(whose) == 0) return true;
        if (!first_) last_ = *(first_ = mask_of(0));  // of a thread that nobody binds
        return apply();
    }
    [[nodiscard]] core_mask first() {
        const std::scoped_lock guard(mutex_);
        forget_parent();
        if (!first_) return own_cores();
        core_mask all{};
        for (std::size_t c = 0; c < most_cores && c < CPU_SETSIZE; ++c)
            if (CPU_ISSET(c, &*first_)) all[c / 64] |= std::uint64_t{1} << c % 64;
        return all;
    }

private:
    // A child of fork() is another program.
    void forget_parent() {
        if (process_ == getpid()) return;
        if (process_ != 0) all_.clear();
        process_ = getpid();
    }

    bool apply() {
        cpu_set_t cores;
        CPU_ZERO(&cores);
        std::map<pid_t, core_id> bound;
        std::set<pid_t> own, seen, messengers;
        for (const auto& [whose, what] : all_) {
            for (const core_id c : what.cores) CPU_SET(c, &cores);
            for (const own_threads::bound_thread& b : what.bound) bound[b.thread] = b.core;
            own.insert(what.own.begin(), what.own.end());
            messengers.insert(what.messenger);
        }
        if (all_.empty()) cores = *first_;
        bool found_any = false;
        for (int pass = 0; pass < most_passes; ++pass) {
            const auto threads = threads_of_this_process();
            if (!threads) return found_any;
            found_any = true;
            bool any_new = false;
            for (const pid_t thread : *threads) {
                if (!seen.insert(thread).second) continue;
                any_new = true;
                if (messengers.contains(thread)) set_free(thread);
                else move(thread, cores, bound, own);
            }
            if (!any_new) break;
        }
        last_ = cores;
        if (all_.empty()) {
            bound_before_.clear();
            first_.reset();
        }
        return true;
    }
    // Made by a confined thread, or confined by the broker itself.
    void set_free(pid_t thread) {
        const cpu_set_t now = mask_of(thread);
        if (!CPU_EQUAL(&now, &*first_)) sched_setaffinity(thread, sizeof *first_, &*first_);
    }
    void move(pid_t thread, const cpu_set_t& cores, const std::map<pid_t, core_id>& bound, const std::set<pid_t>& own) {
        const cpu_set_t now = mask_of(thread);
        if (CPU_COUNT(&now) == 0) return;  // it has ended
        if (const auto to = bound.find(thread); to != bound.end()) {
            bound_before_.emplace(thread, now);
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(to->second, &one);
            sched_setaffinity(thread, sizeof one, &one);
        } else if (const auto before = bound_before_.find(thread); before != bound_before_.end()) {
            sched_setaffinity(thread, sizeof before->second, &before->second);
            bound_before_.erase(before);
        } else if (own.contains(thread) || CPU_EQUAL(&now, &last_) || CPU_EQUAL(&now, &*first_)) {
            sched_setaffinity(thread, sizeof cores, &cores);
        }
    }

    std::mutex mutex_;
    pid_t process_ = 0;
    std::map<const void*, allotted> all_;
    std::optional<cpu_set_t> first_;  // before the first allotment
    cpu_set_t last_{};
    std::map<pid_t, cpu_set_t> bound_before_;
};

}  // namespace

bool own_threads::confine(const std::vector<core_id>& cores, const std::vector<pid_t>& own,
                          const std::vector<bound_thread>& bound) {
    return registry::here().set(this, allotted{cores, own, bound, gettid()});
}

void own_threads::release() { (void)registry::here().set(this, std::nullopt); }

core_mask own_threads::cores_of_process() { return registry::here().first(); }

}  // namespace parley::inline v0::broker
