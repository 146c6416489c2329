// Virtual tasks, and where those are kept that have been made and have not begun.
#pragma once

#include <lab/sim/timed/shape.hpp>
#include <parley/detail/driver/task.hpp>
#include <parley/detail/policy/weighing.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace parley::inline v0::sim::timed {

// The last one is no task: it has some, and is unpacked where it would be begun (jobs.hpp).
enum class task_kind : std::uint8_t { plain, forked, part_of_loop, message };

// Tasks that somebody awaits together, on the stack of who awaits them.
struct scope {
    std::uint32_t owner = 0;
    std::uint32_t open = 0;
    std::uint64_t number = 0;  // no other has it; 0: nobody has spawned in it yet
};

// As the real deque takes it; what runs it is the virtual worker (runner.hpp), not the function.
struct task : threading::task {
    std::uint64_t serial = 0;
    task_words words{};
    scope* group = nullptr;  // null: nobody awaits it
    std::uint32_t kind = 0;  // the shape's
    std::uint32_t maker = 0;
    std::uint32_t chunks = 2;  // of a part of a loop: that it is to be cut into
    float each = 0;            // of a part of a loop: nanoseconds per iteration; 0: not known
    task_kind what = task_kind::plain;
};

// A part of a loop that runs. Iterations [from, to) have not begun.
struct loop_part {
    std::uint32_t kind = 0;
    scope* group = nullptr;
    std::uint64_t from = 0, to = 0, all = 0;
    std::uint32_t chunks = 2;  // that it is to be cut into
    threading::loop_times times = {};
    threading::own_share own = {};

    [[nodiscard]] std::uint64_t left() const noexcept { return to - from; }
    [[nodiscard]] bool is_own_share() const noexcept { return own.lasts(left()); }
    [[nodiscard]] bool looks_away() noexcept { return is_own_share() || times.looks_away(); }
};

class task_store {
public:
    [[nodiscard]] task* make() {
        if (free_.empty()) return &all_.emplace_back();
        task* const t = free_.back();
        free_.pop_back();
        *t = task();
        return t;
    }
    // What it was.
    [[nodiscard]] task take(threading::task* t) {
        auto* const mine = static_cast<task*>(t);
        free_.push_back(mine);
        return *mine;
    }

private:
    std::deque<task> all_;  // they stay where they are
    std::vector<task*> free_;
};

// In blocks: a copy of all of them, of a hundred million, would take so long that a run could not be stopped.
template <class T>
class fifo {
public:
    [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
    template <class Predicate>
    [[nodiscard]] std::uint32_t count_if(const Predicate& is_so) const noexcept {
        return static_cast<std::uint32_t>(std::count_if(all_.begin(), all_.end(), is_so));
    }
    void push(const T& t) { all_.push_back(t); }
    void push_front(const T& t) { all_.push_front(t); }
    T take_front() noexcept {
        const T t = all_.front();
        all_.pop_front();
        return t;
    }

private:
    std::deque<T> all_;
};

}  // namespace parley::inline v0::sim::timed
