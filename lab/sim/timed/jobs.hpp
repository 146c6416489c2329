// Tasks that workers give up, on their way to others (runtime/handing_on.cpp): alone, or all that was in a deque as one
// message, which changes owner as one.
#pragma once

#include <lab/sim/timed/machine.hpp>
#include <lab/sim/timed/task_queue.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::timed {

struct job_channel {
    explicit job_channel(std::uint32_t workers) : line(workers) {}

    shared_line line;
    fifo<task> waiting;
    std::uint64_t sent = 0;

    // The oldest first.
    [[nodiscard]] task packed(std::vector<task> tasks) {
        task message;
        message.what = task_kind::message;
        if (free_.empty()) {
            message.words[0] = messages_.size();
            messages_.push_back(std::move(tasks));
        } else {
            message.words[0] = free_.back();
            free_.pop_back();
            messages_[message.words[0]] = std::move(tasks);
        }
        return message;
    }
    [[nodiscard]] std::vector<task> unpacked(const task& message) {
        free_.push_back(message.words[0]);
        return std::exchange(messages_[message.words[0]], {});
    }

private:
    std::vector<std::vector<task>> messages_;
    std::vector<std::uint64_t> free_;
};

}  // namespace parley::inline v0::sim::timed
