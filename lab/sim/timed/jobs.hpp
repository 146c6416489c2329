// Tasks that workers give up, on their way to others (runtime/handing_on.cpp): alone, or all that was in a deque as one
// message, which changes owner as one.
#pragma once

#include <lab/sim/timed/machine.hpp>
#include <lab/sim/timed/task.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::inline v0::sim::timed {

struct job_channel {
    explicit job_channel(std::uint32_t workers) : line(workers) {}

    shared_line line;
    fifo<threading::task*> waiting;
    std::uint64_t sent = 0;

    // So many that `next` gives, the oldest first.
    template <class Next>
    void pack(task& message, std::size_t n, const Next& next) {
        message.what = task_kind::message;
        if (free_.empty()) {
            message.words[0] = messages_.size();
            messages_.emplace_back();
        } else {
            message.words[0] = free_.back();
            free_.pop_back();
        }
        for (; n > 0; --n) messages_[message.words[0]].push(next());
    }
    [[nodiscard]] std::size_t size_of(const task& message) const noexcept { return messages_[message.words[0]].size(); }
    // The next one of it. With the last its place is free again.
    [[nodiscard]] threading::task* unpack(const task& message) {
        fifo<threading::task*>& tasks = messages_[message.words[0]];
        threading::task* const t = tasks.take_front();
        if (tasks.empty()) free_.push_back(message.words[0]);
        return t;
    }

private:
    std::vector<fifo<threading::task*>> messages_;
    std::vector<std::uint64_t> free_;
};

}  // namespace parley::inline v0::sim::timed
