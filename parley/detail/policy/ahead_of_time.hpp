// When a worker asks ahead of time (tuning::early), and for how many tasks not after that was in vain: nobody had
// anything to spare, and is not asked again before each task.
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

    // Before a task, with so many left after it.
    [[nodiscard]] bool wants(std::size_t left) noexcept {
        if (left >= fewer_than_) return false;
        if (pause_ == 0) return true;
        --pause_;
        return false;
    }
    // It has asked and is to ask again, and nothing came.
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

    static constexpr std::uint32_t longest_pause = 64;  // tasks

private:
    std::uint32_t fewer_than_ = 0;
    std::uint32_t pause_ = 0;  // tasks
    std::uint32_t next_pause_ = 1;
    bool asked_ = false;
};

}  // namespace parley::inline v0::threading
