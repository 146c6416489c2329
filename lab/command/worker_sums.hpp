// Arithmetic on what workers counted.
#pragma once

#include <vector>

#include "lab/peers/scheduler.hpp"

namespace parley_cli {

// All workers together.
[[nodiscard]] parley_peers::worker_counts sum_of(const std::vector<parley_peers::worker_counts>& workers);

// What each worker counted between `before` and `after`.
[[nodiscard]] std::vector<parley_peers::worker_counts> difference(std::vector<parley_peers::worker_counts> after,
                                                                  const std::vector<parley_peers::worker_counts>& before);

}  // namespace parley_cli
