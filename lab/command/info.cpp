#include "command/info.hpp"

#include <fmt/format.h>

#include "command/usage.hpp"
#include "command/verbs.hpp"
#include "lab/programs/program.hpp"
#include "lab/programs/sha1.hpp"

namespace parley_cli {

int info_verb(arguments args) {
    return print_info(args, fmt::format("runs on   {}\nuts hash  SHA-1, {}\n", join(parley_programs::scheduler_names()),
                                        parley_programs::with_best_sha1([]<class H>(H) { return H::name; })));
}

}  // namespace parley_cli
