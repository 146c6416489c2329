// `parley broker replay FILE`.
#pragma once

#include "broker/command/options.hpp"

namespace parley_cli {

// Returns the exit status: 1 if something comes out otherwise. Throws usage_error if it is no log.
[[nodiscard]] int replay_log(const replay_options& wanted);

}  // namespace parley_cli
