// Keeps the processes below this one on some cores. Threads inherit from who makes them, so only those have to be
// found that are there, or are being made, when the cores change.
#pragma once

#include <sched.h>

#include <set>
#include <vector>

#include "broker/command/process_tree.hpp"

namespace parley_cli {

class confinement {
public:
    // Until no thread is found that has not been there.
    void move_to(const cpu_set_t& cores);

    // What was being made as the others were moved shows up a little later.
    void look_again(const std::vector<seen_process>& tree);
    [[nodiscard]] bool wants_to_look_again() const { return looks_left_ > 0; }

private:
    [[nodiscard]] bool move(const std::vector<seen_process>& tree);

    cpu_set_t cores_{};
    std::set<pid_t> moved_;  // threads
    int looks_left_ = 0;
};

}  // namespace parley_cli
