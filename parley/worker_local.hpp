// worker_local: one object per worker.
#pragma once

#include <parley/base/cache_line.hpp>
#include <parley/runtime.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace parley::inline v0 {

// One T per worker of a runtime, each on cache lines of its own, plus one for threads that are not
// in it. local() is the calling worker's own: no lock, no atomic. Note that a task that waits runs
// other tasks meanwhile, on the same worker: do not keep a half-changed local() across a wait.
template <class T>
class worker_local {
public:
    // In the calling worker's runtime, else the default one. Each T is value-initialised.
    worker_local() : worker_local(detail::this_pool()) {}
    explicit worker_local(runtime& home) : worker_local(detail::pool_of(home)) {}
    // Each T is a copy of `initial`.
    explicit worker_local(const T& initial) : worker_local() {
        for (T& value : *this) value = initial;
    }
    worker_local(const worker_local&) = delete;
    worker_local& operator=(const worker_local&) = delete;

    [[nodiscard]] T& local() noexcept {
        const threading::worker* const self = threading::current;
        return slots_[self != nullptr && &self->home == home_ ? self->id : count_ - 1].value;
    }

    // Over all of them; only when no task uses them (or T is made for it).
    class iterator {
    public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        iterator() = default;
        T& operator*() const { return at_->value; }
        T* operator->() const { return &at_->value; }
        iterator& operator++() { ++at_; return *this; }
        iterator operator++(int) { iterator old = *this; ++at_; return old; }
        bool operator==(const iterator&) const = default;

    private:
        friend class worker_local;
        struct padded { alignas(base::cache_line) T value{}; };
        explicit iterator(padded* at) : at_(at) {}
        padded* at_ = nullptr;
    };
    iterator begin() noexcept { return iterator(slots_.get()); }
    iterator end() noexcept { return iterator(slots_.get() + count_); }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }

    // Folds all of them, in the order of the workers.
    template <class U, class Operation>
    U combine(U initial, Operation operation) {
        for (T& value : *this) initial = operation(std::move(initial), value);
        return initial;
    }

private:
    using slot = typename iterator::padded;
    explicit worker_local(threading::pool& home)
        : home_(&home), count_(home.size() + 1), slots_(new slot[count_]()) {}

    threading::pool* home_;
    std::size_t count_;
    std::unique_ptr<slot[]> slots_;
};

}  // namespace parley::inline v0
