#include "broker/command/process_tree.hpp"

#include <unistd.h>

namespace parley_cli {

std::vector<seen_process> descendants() {
    std::vector<seen_process> tree = parley::broker::service::process_tree(getpid());
    tree.erase(tree.begin());
    return tree;
}

std::uint64_t run_time_of(pid_t process) { return parley::broker::service::run_time_with_dead(process); }

}  // namespace parley_cli
