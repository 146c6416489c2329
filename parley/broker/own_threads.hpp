// Keeps the threads of this process on the cores that a broker has given it.
#pragma once

#include <parley/broker/allotment.hpp>

#include <map>
#include <sched.h>
#include <sys/types.h>
#include <vector>

namespace parley::inline v0::broker {

class own_threads {
public:
    // All threads to these cores; those of `one_each`, which the program has bound, to one of them each. Others that the
    // program has bound elsewhere are left alone. Threads made later inherit it from who makes them.
    void confine(const std::vector<core_id>& cores, const std::vector<pid_t>& one_each);
    // To where they were before.
    void release();

private:
    bool confine_new(const cpu_set_t& all, const std::vector<core_id>& cores, const std::vector<pid_t>& one_each,
                     std::map<pid_t, bool>& seen);

    bool is_on_ = false;
    cpu_set_t first_{};  // of the process, before the first time
    cpu_set_t last_{};
    std::map<pid_t, cpu_set_t> bound_before_;
};

}  // namespace parley::inline v0::broker
