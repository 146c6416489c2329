// What all programs of one process hold together. A process may have several, led by different sections; its run time is
// that of all, and any of its threads may be any program's.
#pragma once

#include <parley/broker/names.hpp>
#include <parley/broker/service/process.hpp>

#include <map>
#include <memory>
#include <mutex>

namespace parley::inline v0::broker::service {

class process_room {
public:
    // How long the cores were there, in all; returns the new sum.
    nanoseconds add(nanoseconds room) {
        const std::lock_guard lock(mutex_);
        return sum_ += room;
    }
    void holds(program_id p, const core_set& cores) {
        const std::lock_guard lock(mutex_);
        held_[p] = cores;
    }
    // Returns whether there are other programs.
    bool leaves(program_id p) {
        const std::lock_guard lock(mutex_);
        held_.erase(p);
        return !held_.empty();
    }
    [[nodiscard]] core_set cores() const {
        const std::lock_guard lock(mutex_);
        core_set all{};
        for (const auto& [p, cores] : held_)
            for (std::size_t i = 0; i < all.size(); ++i) all[i] |= cores[i];
        return all;
    }

private:
    mutable std::mutex mutex_;
    nanoseconds sum_ = 0;
    std::map<program_id, core_set> held_;
};

}  // namespace parley::inline v0::broker::service
