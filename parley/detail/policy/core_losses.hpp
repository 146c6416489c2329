// Has a worker lost its core to another thread since it asked last?
#pragma once

#include <chrono>
#include <utility>

namespace parley::inline v0::threading {

class core_losses {
public:
    using clock = std::chrono::steady_clock;

    // `not_seen_for`: so long the worker has done what nobody has seen. `count`: how often it has lost its core so far. It
    // is called only if the answer may depend on it, because it may be a system call.
    // A worker that has not asked for long does not know when that happened. A gap that is longer than some time slices
    // is more than a lost core.
    template <class Count>
    [[nodiscard]] bool since_last_asked(clock::time_point now, clock::duration not_seen_for, const Count& count) noexcept {
        if (not_seen_for > longest) return false;
        const long times = count();
        const bool knows = now - std::exchange(asked_at_, now) < lately;
        return std::exchange(times_, times) != times && knows;
    }

private:
    static constexpr clock::duration lately = std::chrono::milliseconds(200), longest = std::chrono::milliseconds(10);

    long times_ = 0;
    clock::time_point asked_at_;
};

}  // namespace parley::inline v0::threading
