/// @file
/// A sink from which others pull: threads outside, or tasks.
#pragma once

#include <parley/detail/sync/remaining.hpp>
#include <parley/errors.hpp>
#include <parley/farm/actor.hpp>
#include <parley/farm/body.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/parcel.hpp>
#include <parley/farm/parts.hpp>
#include <parley/farm/row.hpp>
#include <parley/farm/waiting_room.hpp>
#include <parley/farm/words.hpp>
#include <parley/runtime.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace parley::inline v0 {

namespace streaming {

// Lies between the last node and those who pull. Items that wait here keep their tokens, so a pipeline whose items are
// not pulled stops by itself. The flow is only touched under the mutex, and the node detaches itself under the mutex
// before the flow goes away.
template <class T>
class pull_queue final : public failure_listener {
public:
    explicit pull_queue(threading::pool& home) : room_(home) {}

    [[nodiscard]] std::optional<T> pull(bool waits) {
        std::unique_lock lock(mutex_);
        const auto something = [this] { return over_ || closed_ || !open_.empty(); };
        if (waits) room_.wait(lock, something);
        if (open_.empty()) return std::nullopt;
        opened& front = *open_.front();
        const struct at_end {
            pull_queue& mine;
            opened& from;
            ~at_end() { mine.let_go(from, 1); }
        } done{*this, front};
        T& item = front.items[next_];
        if (++next_ == front.items.size()) close_front();
        lock.unlock();
        return std::optional<T>(std::move(item));
    }
    // Nobody will pull any more.
    void close() noexcept {
        std::unique_lock lock(mutex_);
        closed_ = true;
        if (flow_ != nullptr) flow_->stop();
        room_.notify();
        drop_all(lock);
    }

    // --- for the node ----------------------------------------------------------------------------
    void attach(flow& f) {
        const std::scoped_lock guard(mutex_);
        if (flow_ != nullptr) throw usage_error("parley: a pull_end belongs to one pipeline at a time");
        flow_ = &f;
        over_ = false;
        if (closed_) f.stop();
    }
    void detach() noexcept {
        const std::scoped_lock guard(mutex_);
        flow_ = nullptr;
        over_ = true;
        room_.notify();
    }
    // Called after a run that perhaps never came to its sink. By then another run may own this end; it is left alone.
    void give_up_unless_attached() noexcept {
        const std::scoped_lock guard(mutex_);
        if (flow_ != nullptr) return;
        over_ = true;
        room_.notify();
    }
    // False: nobody wants the batch.
    [[nodiscard]] bool put(batch<T>& b) {
        auto o = std::make_unique<opened>(b);
        const std::scoped_lock guard(mutex_);
        if (closed_ || flow_->failed()) return false;
        open_.push_back(o.get());
        o.release()->owned.reset(&b);
        room_.notify();
        return true;
    }
    // Drops all items: the failure comes out of run(), so nobody will pull them.
    void flow_failed() noexcept override {
        std::unique_lock lock(mutex_);
        drop_all(lock);
    }

private:
    // Items are moved and destroyed without the mutex, because that is the user's code. Their tokens come back after
    // that, so the flow is still there.
    struct opened {
        explicit opened(batch<T>& b) noexcept : items(b.items), left(b.items.size()) {}
        row<T>& items;
        sync::remaining left;  // items that have not been taken out or dropped
        std::unique_ptr<batch<T>> owned;
    };

    void close_front() noexcept {
        open_.pop_front();
        next_ = 0;
    }
    // So many items are done. Called without the mutex.
    void let_go(opened& o, std::size_t items) noexcept {
        bool last = false;
        for (; items > 0; --items) last = o.left.done();
        if (!last) return;
        const std::uint64_t tokens = o.owned->tokens;
        delete &o;
        const std::scoped_lock guard(mutex_);
        flow_->give_back(tokens);
    }
    void drop_all(std::unique_lock<std::mutex>& lock) noexcept {
        while (!open_.empty()) {
            opened& front = *open_.front();
            const std::size_t items = front.items.size() - next_;
            close_front();
            lock.unlock();
            let_go(front, items);
            lock.lock();
        }
    }

    std::mutex mutex_;
    waiting_room room_;
    std::deque<opened*> open_;  // none of them is empty
    std::size_t next_ = 0;      // the next item of the first one
    flow* flow_ = nullptr;
    bool closed_ = false;
    bool over_ = false;
};

template <class T>
class pull_node final : public actor {
public:
    pull_node(flow& f, pull_queue<T>& queue, arrival order) : actor(f, order), queue_(queue) { f.tell_of_failure(queue_); }
    ~pull_node() {
        if (has_begun_) queue_.detach();
    }
    // From now on closing the end stops the source.
    void begin() {
        queue_.attach(flow_);
        has_begun_ = true;
    }

private:
    void handle(parcel& p) noexcept override {
        try {
            const std::size_t items = p.hollow ? 0 : static_cast<batch<T>&>(p).items.size();
            bool is_taken = false;
            if (items != 0) measure(size_, items, [&] { is_taken = queue_.put(static_cast<batch<T>&>(p)); });
            if (is_taken) return;
        } catch (...) {
            flow_.fail_with_current_exception();
        }
        const std::uint64_t tokens = p.tokens;
        delete &p;
        flow_.give_back(tokens);
    }

    pull_queue<T>& queue_;
    bool has_begun_ = false;
};

template <class T>
struct pull_part {
    template <class In>
    static constexpr bool takes = std::same_as<In, T>;
    template <class In>
    using output = nothing;

    template <class In>
    class node {
    public:
        node(flow& f, pull_part& part, arrival order) : node_(f, *part.queue, order) {}
        inlet& entry() noexcept { return node_; }
        void begin() { node_.begin(); }

    private:
        pull_node<T> node_;
    };

    [[nodiscard]] needs asks() const noexcept { return {}; }
    void not_running() noexcept { queue->give_up_unless_attached(); }

    std::shared_ptr<pull_queue<T>> queue;
};

template <class T>
inline constexpr bool is_sink<pull_part<T>> = true;

}  // namespace streaming

/// The reading end of a stream. Items wait here under their tokens until they are pulled. Several threads and tasks may
/// pull.
template <class T>
class pull_end {
public:
    /// A task of this runtime works while it waits in pull(). Other threads sleep.
    pull_end() : pull_end(detail::this_pool()) {}
    /// Uses the workers of `home` instead of the default runtime's.
    explicit pull_end(runtime& home) : pull_end(detail::pool_of(home)) {}
    /// Closes the end.
    ~pull_end() { queue_->close(); }
    pull_end(const pull_end&) = delete;
    pull_end& operator=(const pull_end&) = delete;

    /// Returns the next item, and waits for it, also for a run() that has not begun. Returns nothing if the stream is
    /// over or closed. Its failures come out of run(). A task whose runtime is cancelled does not wait, but throws
    /// `cancelled`.
    [[nodiscard]] std::optional<T> pull() { return queue_->pull(true); }
    /// Returns nothing if no item is there at the moment.
    [[nodiscard]] std::optional<T> try_pull() { return queue_->pull(false); }

    /// Stops the source, and drops the items that are under way.
    void close() noexcept { queue_->close(); }

    /// Used by sink().
    [[nodiscard]] const std::shared_ptr<streaming::pull_queue<T>>& queue() const noexcept { return queue_; }

private:
    explicit pull_end(threading::pool& home) : queue_(std::make_shared<streaming::pull_queue<T>>(home)) {}

    std::shared_ptr<streaming::pull_queue<T>> queue_;
};

/// Makes a sink that is read by pull(). If every token is with items that nobody has pulled, the pipeline waits, at no
/// cost, and run() does not return.
template <class T>
auto sink(pull_end<T>& end) {
    return streaming::chain_of(streaming::pull_part<T>{end.queue()});
}

}  // namespace parley::inline v0
