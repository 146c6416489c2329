#include "broker/command/confinement.hpp"

namespace parley_cli {
namespace {

// A command that makes processes faster than they can be found is not chased for ever.
constexpr int most_passes = 50;
constexpr int looks_afterwards = 2;

}  // namespace

// True if there was anybody new. What may not be moved (another user's, by a set-user-ID program) or has gone is left
// alone.
bool confinement::move(const std::vector<seen_process>& tree) {
    bool any_new = false;
    for (const seen_process& process : tree) {
        for (const pid_t thread : process.threads) {
            if (moved_.insert(thread).second) {
                sched_setaffinity(thread, sizeof cores_, &cores_);
                any_new = true;
            }
        }
    }
    return any_new;
}

void confinement::move_to(const cpu_set_t& cores) {
    cores_ = cores;
    moved_.clear();
    for (int i = 0; i < most_passes && move(descendants()); ++i) {}
    looks_left_ = looks_afterwards;
}

void confinement::look_again(const std::vector<seen_process>& tree) {
    if (looks_left_ > 0) {
        --looks_left_;
        static_cast<void>(move(tree));
    }
}

}  // namespace parley_cli
