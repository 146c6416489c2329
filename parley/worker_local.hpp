// worker_local: one object per worker.
#pragma once

#include <parley/version.hpp>

#include <parley/base/cache_line.hpp>
#include <parley/runtime.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace parley::inline v0 {

// One T per worker of a runtime, each on cache lines of its own, plus one for threads that are not
// in it. local() is the calling worker's own: no lock, no atomic. Visitors (runtime::run) and threads that stand in for
// blocked workers get theirs when they first ask, behind the others; finding it takes a lock. Note that a task that waits
// runs other tasks meanwhile, on the same worker: do not keep a half-changed local() across a wait.
template <class T>
class worker_local {
public:
    // In the calling worker's runtime, else the default one. Each T is value-initialised.
    worker_local() : worker_local(detail::this_pool()) {}
    explicit worker_local(runtime& home) : worker_local(detail::pool_of(home)) {}
    // Each T is a copy of `initial`.
    explicit worker_local(const T& initial) : worker_local() {
        for (T& value : *this) value = initial;
        begin_ = [initial](T& value) { value = initial; };
    }
    worker_local(const worker_local&) = delete;
    worker_local& operator=(const worker_local&) = delete;

    // Throws std::bad_alloc, and what making a T throws, the first time that a visitor asks.
    [[nodiscard]] T& local() {
        const threading::worker* const self = threading::current;
        if (self == nullptr || &self->home != home_) return slots_[count_ - 1].value;
        if (home_->is_visitor(self->id)) [[unlikely]]
            return of_visitor(self->id - home_->size());
        return slots_[self->id].value;
    }

    // Over all of them; only when no task uses them (or T is made for it).
    class iterator {
    public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        iterator() = default;
        T& operator*() const { return of_->number(at_); }
        T* operator->() const { return &of_->number(at_); }
        iterator& operator++() {
            ++at_;
            return *this;
        }
        iterator operator++(int) {
            iterator old = *this;
            ++at_;
            return old;
        }
        bool operator==(const iterator&) const = default;

    private:
        friend class worker_local;
        iterator(worker_local* of, std::size_t at) : of_(of), at_(at) {}
        worker_local* of_ = nullptr;
        std::size_t at_ = 0;
    };
    iterator begin() noexcept { return iterator(this, 0); }
    iterator end() noexcept { return iterator(this, size()); }
    [[nodiscard]] std::size_t size() const noexcept { return count_ + visitors_.size(); }

    // Folds all of them, in the order of the workers.
    template <class U, class Operation>
    U combine(U initial, Operation operation) {
        for (T& value : *this) initial = operation(std::move(initial), value);
        return initial;
    }

private:
    struct alignas(base::cache_line) slot {
        T value{};
    };
    struct visitor {
        std::uint32_t number;
        std::unique_ptr<slot> place;
    };

    explicit worker_local(threading::pool& home)
        : home_(&home), count_(home.size() + 1), slots_(new slot[count_]()) {}

    T& number(std::size_t n) noexcept { return n < count_ ? slots_[n].value : visitors_[n - count_].place->value; }

    [[gnu::noinline]] T& of_visitor(std::uint32_t number) {
        const std::scoped_lock guard(mutex_);
        for (const visitor& v : visitors_)
            if (v.number == number) return v.place->value;
        auto fresh = std::make_unique<slot>();
        if (begin_) begin_(fresh->value);
        visitors_.push_back({number, std::move(fresh)});
        return visitors_.back().place->value;
    }

    threading::pool* home_;
    std::size_t count_;
    std::unique_ptr<slot[]> slots_;
    std::function<void(T&)> begin_;
    std::mutex mutex_;
    std::vector<visitor> visitors_;
};

}  // namespace parley::inline v0
