// What one writes without a library: a thread for each lane, which takes items out of a bounded queue with a mutex and
// two conditions, and puts results into another one, from which the caller collects.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "lab/peers/scheduler.hpp"
#include "lab/peers/streams/plan.hpp"

namespace parley_peers {

template <class T>
class bounded_queue {
public:
    explicit bounded_queue(std::size_t bound) : bound_(bound) {}

    void push(T item) {
        std::unique_lock lock(mutex_);
        has_room_.wait(lock, [&] { return items_.size() < bound_; });
        items_.push_back(std::move(item));
        lock.unlock();
        has_items_.notify_one();
    }
    // Nothing once it is closed and empty.
    std::optional<T> pop() {
        std::unique_lock lock(mutex_);
        has_items_.wait(lock, [&] { return !items_.empty() || closed_; });
        if (items_.empty()) return std::nullopt;
        std::optional<T> item(std::move(items_.front()));
        items_.pop_front();
        lock.unlock();
        has_room_.notify_one();
        return item;
    }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        has_items_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable has_items_, has_room_;
    std::deque<T> items_;
    std::size_t bound_;
    bool closed_ = false;
};

struct queue_streams {
    static constexpr std::string_view name = "queue";
    struct cancelled {};

    class pool {
    public:
        explicit pool(const setup& wanted) : workers_(wanted.workers) {}
        template <class F>
        auto run(F&& work) {
            cancel_.store(false);
            auto result = work();
            if (cancel_.load()) throw cancelled{};
            return result;
        }
        void cancel() noexcept { cancel_.store(true); }
        [[nodiscard]] unsigned workers() const noexcept { return workers_; }
        [[nodiscard]] std::vector<worker_counts> counts() const { return {}; }
        void dump(std::FILE*) const noexcept {}
        [[nodiscard]] bool is_cancelled() const noexcept { return cancel_.load(std::memory_order_relaxed); }

    private:
        unsigned workers_;
        std::atomic<bool> cancel_{false};
    };

    template <class Result, class Work, class Collect>
    static void stream(pool& home, const stream_plan& plan, Work work, Collect collect) {
        const unsigned lanes = plan.alike && !plan.blocks ? home.workers() : plan.lanes;
        using numbered = std::pair<std::uint64_t, Result>;
        bounded_queue<std::uint64_t> items(2 * std::size_t{lanes});
        bounded_queue<numbered> results(64);
        std::vector<std::jthread> threads;
        std::atomic<unsigned> running{lanes};
        for (unsigned lane = 0; lane < lanes; ++lane)
            threads.emplace_back([&, lane] {
                while (const auto item = items.pop()) results.push({*item, work(lane, *item)});
                if (running.fetch_sub(1) == 1) results.close();
            });
        std::jthread source([&] {
            for (std::uint64_t item = 0; item < plan.items && !home.is_cancelled(); ++item) items.push(item);
            items.close();
        });
        std::map<std::uint64_t, Result> early;
        std::uint64_t next = 0;
        while (auto result = results.pop()) {
            if (!plan.ordered) {
                collect(std::move(result->second));
                continue;
            }
            early.emplace(result->first, std::move(result->second));
            for (auto first = early.begin(); first != early.end() && first->first == next; first = early.begin()) {
                collect(std::move(first->second));
                early.erase(first);
                ++next;
            }
        }
    }

    template <class Item, class Work, class Select>
    static void rounds(pool& home, const stream_plan& plan, std::vector<Item> first, Work work, Select select) {
        std::size_t left = first.size();
        bounded_queue<Item> items(left), results(left);  // nobody waits for room
        for (Item& item : first) items.push(std::move(item));
        std::vector<std::jthread> threads;
        for (unsigned lane = 0; lane < plan.lanes; ++lane)
            threads.emplace_back([&, lane] {
                while (auto item = items.pop()) {
                    work(lane, *item);
                    results.push(std::move(*item));
                }
            });
        while (left > 0) {
            std::optional<Item> next = select(std::move(*results.pop()));
            if (next && !home.is_cancelled()) items.push(std::move(*next));
            else --left;
        }
        items.close();
    }
};

}  // namespace parley_peers
