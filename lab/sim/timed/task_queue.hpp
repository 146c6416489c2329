// A virtual worker's deque, with the rules of the real one (runtime/deque.hpp): the oldest are held while a wait is on
// the stack that they do not belong to.
#pragma once

#include <lab/sim/timed/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace parley::inline v0::sim::timed {

inline constexpr std::uint32_t nobody = ~std::uint32_t{0};

// The last one is no task: it has some, and is unpacked where it would be begun (jobs.hpp).
enum class task_kind : std::uint8_t { plain, forked, part_of_loop, message };

struct task {
    std::uint64_t serial = 0;
    task_words words{};
    std::uint32_t kind = 0;        // the shape's
    std::uint32_t group = nobody;  // the frame that awaits it
    std::uint32_t maker = 0;
    std::uint32_t chunks = 2;  // of a part of a loop: that it is to be cut into
    task_kind what = task_kind::plain;
};

// In blocks: a copy of all of them, of a hundred million tasks, would take so long that a run could not be stopped.
template <class T>
class fifo {
public:
    [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
    [[nodiscard]] const T& front() const noexcept { return all_.front(); }
    [[nodiscard]] const T& back() const noexcept { return all_.back(); }
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
    T take_back() noexcept {
        const T t = all_.back();
        all_.pop_back();
        return t;
    }

private:
    std::deque<T> all_;
};

class task_queue {
public:
    // Of one message at most: a block of the real deque.
    static constexpr std::size_t most_at_once = 1021;

    [[nodiscard]] bool empty() const noexcept { return tasks_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return tasks_.size(); }
    [[nodiscard]] std::size_t held() const noexcept { return std::min(held_, tasks_.size()); }
    [[nodiscard]] bool may_pop() const noexcept { return tasks_.size() > held(); }
    void push(const task& t) { tasks_.push(t); }
    task pop() noexcept { return tasks_.take_back(); }
    [[nodiscard]] bool newest_is(std::uint64_t serial) const noexcept {
        return !tasks_.empty() && tasks_.back().serial == serial;
    }
    task take_oldest() noexcept {
        if (held_ > 0) --held_;
        return tasks_.take_front();
    }
    // How many an answer with half of them brings.
    [[nodiscard]] std::size_t half() const noexcept {
        std::size_t n = std::min((size() + 1) / 2, most_at_once);
        if (held() > 0) n = held_at_different_times_ ? 1 : std::min(n, held());
        return n;
    }
    void hold_all() noexcept {
        held_at_different_times_ = held() > 0 && (held_at_different_times_ || size() > held());
        held_ = size();
    }
    // Of those that were held at different times only the newest: they may be tasks of several stacks.
    void let_go() noexcept {
        held_ = held_at_different_times_ && held() > 1 ? held() - 1 : 0;
        if (held_ == 0) held_at_different_times_ = false;
    }

private:
    fifo<task> tasks_;
    std::size_t held_ = 0;
    bool held_at_different_times_ = false;
};

}  // namespace parley::inline v0::sim::timed
