/// @file
/// A source that others push into: threads outside, tasks, callbacks.
#pragma once

#include <parley/errors.hpp>
#include <parley/farm/row.hpp>
#include <parley/farm/source.hpp>
#include <parley/farm/waiting_room.hpp>
#include <parley/farm/words.hpp>
#include <parley/runtime.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace parley::inline v0 {

namespace streaming {

// Lies between those who push and the source. `over_`: nobody will take anything out any more.
template <class T>
class push_queue {
public:
    push_queue(threading::pool& home, std::size_t capacity) : room_(home), capacity_(capacity) {
        if (capacity == 0) throw usage_error("parley: a push_end with room for 0 items");
    }

    [[nodiscard]] bool push(T&& item, bool waits) {
        std::unique_lock lock(mutex_);
        const auto may_go_on = [this] { return refuses() || items_.size() < capacity_; };
        if (waits) room_.wait(lock, may_go_on);
        else if (!may_go_on()) return false;
        if (refuses()) return false;
        items_.push_back(std::move(item));
        wake_source();
        return true;
    }
    void close() noexcept {
        const std::scoped_lock guard(mutex_);
        closed_ = true;
        room_.notify();
        wake_source();
    }

    // --- for the source --------------------------------------------------------------------------
    void attach(source_side& s) {
        const std::scoped_lock guard(mutex_);
        if (source_ != nullptr) throw usage_error("parley: a push_end feeds one pipeline at a time");
        source_ = &s;
        over_ = false;
    }
    void detach() noexcept {
        std::deque<T> left;  // destroyed without the mutex, because destructors are the user's code
        const std::scoped_lock guard(mutex_);
        source_ = nullptr;
        refuse(left);
    }
    // Called after a run that may not have come to its source. The end may belong to another run meanwhile.
    void refuse_unless_attached() noexcept {
        std::deque<T> left;
        const std::scoped_lock guard(mutex_);
        if (source_ == nullptr) refuse(left);
    }
    drawn draw(row<T>& into, std::size_t most) {
        const std::scoped_lock guard(mutex_);
        while (into.size() < most && !items_.empty()) {
            into.push_back(std::move(items_.front()));
            items_.pop_front();
        }
        room_.notify();
        if (!items_.empty()) return drawn::more;
        if (closed_) return drawn::ended;
        dry_ = true;
        return drawn::later;
    }

private:
    void refuse(std::deque<T>& left) noexcept {
        over_ = true;
        left.swap(items_);
        room_.notify();
    }
    [[nodiscard]] bool refuses() const noexcept { return closed_ || over_; }

    // Called under the mutex, because after detach() the source may be gone.
    void wake_source() noexcept {
        if (source_ != nullptr && std::exchange(dry_, false)) source_->wake();
    }

    std::mutex mutex_;
    waiting_room room_;
    const std::size_t capacity_;
    std::deque<T> items_;
    source_side* source_ = nullptr;
    bool dry_ = false;  // the source has found nothing here
    bool closed_ = false;
    bool over_ = false;
};

template <class T>
class pushed_source {
public:
    using item = T;

    explicit pushed_source(std::shared_ptr<push_queue<T>> q) : queue_(std::move(q)) {}
    void not_running() noexcept { queue_->refuse_unless_attached(); }

    class cursor {
    public:
        cursor(pushed_source& from, source_side& s) : queue_(*from.queue_) { queue_.attach(s); }
        cursor(const cursor&) = delete;
        cursor& operator=(const cursor&) = delete;
        ~cursor() { queue_.detach(); }
        drawn draw(row<T>& into, std::size_t most, const patience&) { return queue_.draw(into, most); }

    private:
        push_queue<T>& queue_;
    };

private:
    std::shared_ptr<push_queue<T>> queue_;
};

}  // namespace streaming

/// The writing end of a stream. Copies are one end, and any thread may use any of them. The stream ends when one of
/// them is closed or the last one is destroyed.
template <class T>
class push_end {
public:
    /// Has room for `capacity` items that the pipeline has not taken yet. They hold no tokens. A task of this runtime
    /// works while it waits in push(); other threads sleep.
    explicit push_end(std::size_t capacity = 64) : push_end(detail::this_pool(), capacity) {}
    /// Uses the workers of `home` instead of the default runtime's.
    push_end(runtime& home, std::size_t capacity) : push_end(detail::pool_of(home), capacity) {}

    /// Waits while there is no room. False: the item was not taken, because the end was closed, or the pipeline has
    /// failed or was stopped. A task whose runtime is cancelled does not wait, but throws `cancelled`.
    bool push(T item) { return end_->queue->push(std::move(item), true); }
    /// Does not wait. The item is moved from only if it was taken.
    [[nodiscard]] bool try_push(T&& item) { return end_->queue->push(std::move(item), false); }

    /// Ends the stream. Items that were pushed before still go through. A second call does nothing.
    void close() noexcept { end_->queue->close(); }

    /// Returns the source that source(end) uses.
    [[nodiscard]] streaming::pushed_source<T> as_source() const { return streaming::pushed_source<T>(end_->queue); }

private:
    struct closes_at_end {
        explicit closes_at_end(std::shared_ptr<streaming::push_queue<T>> q) : queue(std::move(q)) {}
        closes_at_end(const closes_at_end&) = delete;
        closes_at_end& operator=(const closes_at_end&) = delete;
        ~closes_at_end() { queue->close(); }
        const std::shared_ptr<streaming::push_queue<T>> queue;
    };

    push_end(threading::pool& home, std::size_t capacity)
        : end_(std::make_shared<closes_at_end>(std::make_shared<streaming::push_queue<T>>(home, capacity))) {}

    std::shared_ptr<closes_at_end> end_;
};

/// Makes a source of what is pushed, in the order in which it comes. While there is nothing the pipeline waits, at no
/// cost.
template <class T>
auto source(const push_end<T>& end) {
    return streaming::chain_of(streaming::source_part<streaming::pushed_source<T>>{end.as_source()});
}

}  // namespace parley::inline v0
