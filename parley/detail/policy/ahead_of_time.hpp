// Says when a worker asks ahead of time (tuning::early). After a request in vain nobody has anything to spare, so the
// worker does not ask before each task. It pauses for a number of tasks, which grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace parley::inline v0::threading {

class ahead_of_time {
public:
    ahead_of_time() = default;
    explicit ahead_of_time(std::uint32_t fewer_than) noexcept : fewer_than_(fewer_than) {}

    [[nodiscard]] bool is_on() const noexcept { return fewer_than_ != 0; }

    // Called before a task is run. `left`: the tasks that are left after it.
    [[nodiscard]] bool wants(std::size_t left) noexcept {
        if (left >= fewer_than_) return false;
        if (pause_ == 0) return true;
        --pause_;
        return false;
    }
    // Is a request that was sent ahead of time home without an answer? Called when the worker would ask again.
    [[nodiscard]] bool failed(bool request_is_home) noexcept {
        if (!asked_ || !request_is_home) return false;
        asked_ = false;
        pause_ = next_pause_;
        next_pause_ = std::min(2 * next_pause_, longest_pause);
        return true;
    }
    void asked() noexcept { asked_ = true; }
    void received() noexcept {
        asked_ = false;
        pause_ = 0;
        next_pause_ = 1;
    }

    static constexpr std::uint32_t longest_pause = 64;  // in tasks

private:
    std::uint32_t fewer_than_ = 0;
    std::uint32_t pause_ = 0;  // in tasks
    std::uint32_t next_pause_ = 1;
    bool asked_ = false;
};

}  // namespace parley::inline v0::threading
