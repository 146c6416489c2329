// main() of a program whose first argument is a verb.
#pragma once

#include <span>

#include "command/verbs.hpp"

namespace parley_cli {

struct verb {
    const char* name;
    int (*run)(arguments all);  // the verb first; may throw usage_error
};

// Returns the exit status: the verb's; 2 after a line on standard error for bad usage and bad variables of the
// environment; 1 for other exceptions, and where what was said or recorded could not be written.
[[nodiscard]] int run_main(int argc, char** argv, std::span<const verb> verbs, void (*print_help)());

}  // namespace parley_cli
