// How a broker is to run.
#pragma once

#include <broker/daemon/joined_program.hpp>
#include <broker/daemon/machine.hpp>
#include <broker/daemon/process_tree.hpp>
#include <broker/policy/log.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unistd.h>

namespace parley::inline v0::broker::service {

struct settings {
    std::string socket;  // where it listens
    int listening = -1;  // a socket that listens already, given by who started the broker; `socket` is not made then
    machine here;
    std::shared_ptr<const policy> how;
    pace steps;
    nanoseconds slot = 0;  // gang scheduling of shared cores: the length of a turn; 0: none
    std::uint32_t programs_per_user = 64;
    std::uint32_t programs = 1024;
    user_id own_user = geteuid();
    bool is_for_all = geteuid() == 0;                // else only for programs of the own user
    run_time_source ran = run_time;                  // what the system says
    run_time_source ran_in_tree = run_time_of_tree;  // of programs that are led
    // Is told of everything that happens in a section, in each section's order, by a thread of its own.
    std::function<void(section_id, const record&)> log = {};
};

}  // namespace parley::inline v0::broker::service
