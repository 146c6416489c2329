#include "lab/command/worker_sums.hpp"

#include <array>
#include <cstddef>

namespace parley_cli {
namespace {

using parley_peers::worker_counts;

constexpr std::array fields{&worker_counts::tasks,    &worker_counts::steals,    &worker_counts::failed,
                            &worker_counts::messages, &worker_counts::splits,    &worker_counts::sleeps,
                            &worker_counts::wakes,    &worker_counts::interrupts};

}  // namespace

worker_counts sum_of(const std::vector<worker_counts>& workers) {
    worker_counts sum;
    for (const worker_counts& w : workers) {
        for (const auto field : fields) {
            sum.*field += w.*field;
        }
    }
    return sum;
}

std::vector<worker_counts> difference(std::vector<worker_counts> after, const std::vector<worker_counts>& before) {
    for (std::size_t i = 0; i < after.size() && i < before.size(); ++i) {
        for (const auto field : fields) {
            after[i].*field -= before[i].*field;
        }
    }
    return after;
}

}  // namespace parley_cli
