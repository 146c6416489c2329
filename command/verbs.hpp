// The verbs of the command. Each returns its exit status, or throws usage_error.
#pragma once

#include <span>

namespace parley_cli {

using arguments = std::span<const char* const>;  // what follows the verb

[[nodiscard]] int run_verb(arguments args);
[[nodiscard]] int bench_verb(arguments args);
[[nodiscard]] int sim_verb(arguments args);
[[nodiscard]] int broker_verb(arguments args);
[[nodiscard]] int broker_run_verb(arguments args);  // what follows `broker run`
[[nodiscard]] int top_verb(arguments args);
[[nodiscard]] int info_verb(arguments args);

}  // namespace parley_cli
