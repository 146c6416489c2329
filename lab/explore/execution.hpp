// One execution of a scene: in a process of its own, so that each begins in the same state, whatever came of the last.
//
// These processes are children of one that does nothing else. So they find the same memory in use, whatever the explorer has
// noted meanwhile, and objects come to lie at the same places.
#pragma once

#include <lab/explore/report.hpp>
#include <lab/explore/scene.hpp>
#include <lab/explore/scheduler.hpp>

#include <string>
#include <sys/types.h>

namespace parley::explore {

class executions {
public:
    executions();
    ~executions();
    executions(const executions&) = delete;
    executions& operator=(const executions&) = delete;

    // Its report is there until the next one.
    const report& run(const scene& what, const execution_settings& how);
    // What the last one wrote on standard error.
    [[nodiscard]] std::string said() const;

private:
    struct shared;

    [[noreturn]] void make_children(int orders, int answers) noexcept;

    shared* shared_ = nullptr;
    int errors_ = -1;
    int orders_ = -1;
    int answers_ = -1;
    pid_t parent_of_all_ = -1;
};

}  // namespace parley::explore
