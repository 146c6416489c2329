/// @file
/// One object per worker: worker_local.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/base/cache_line.hpp>
#include <parley/runtime.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0 {

namespace detail {

template <class Make, class T>
concept makes_objects_of_type = std::invocable<Make&> && std::same_as<std::invoke_result_t<Make&>, T>;

}  // namespace detail

/// One T per worker of a runtime, each on its own cache lines, and one for all threads outside. local() is that of the
/// calling worker, without lock or atomic. Visitors (runtime::run) and threads that stand in for blocked workers get
/// theirs when they first ask, behind the others; finding it takes a lock. A task that waits runs other tasks on its
/// worker meanwhile, so do not keep a half-changed local() across a wait.
template <class T>
class worker_local {
public:
    /// Makes it for the calling worker's runtime, or else the default one. Each T is value-initialised.
    worker_local()
        requires std::default_initializable<T>
        : worker_local(detail::this_pool(), by_default{}) {}
    /// Makes it for `home`. Each T is value-initialised.
    explicit worker_local(runtime& home)
        requires std::default_initializable<T>
        : worker_local(detail::pool_of(home), by_default{}) {}
    /// Each T is a copy of `initial`.
    explicit worker_local(const T& initial)
        requires std::copy_constructible<T>
        : worker_local(detail::this_pool(), copy_of{initial}) {}
    /// Makes it for `home`. Each T is a copy of `initial`.
    worker_local(runtime& home, const T& initial)
        requires std::copy_constructible<T>
        : worker_local(detail::pool_of(home), copy_of{initial}) {}
    /// Each T is what make() returns, and need be neither copied nor moved. The constructor makes those of the workers.
    /// Visitors call make when they first ask, several at a time.
    template <detail::makes_objects_of_type<T> Make>
    explicit worker_local(Make make) : worker_local(detail::this_pool(), std::move(make)) {}
    /// Makes it for `home`. Each T is what make() returns.
    template <detail::makes_objects_of_type<T> Make>
    worker_local(runtime& home, Make make) : worker_local(detail::pool_of(home), std::move(make)) {}
    worker_local(const worker_local&) = delete;
    worker_local& operator=(const worker_local&) = delete;
    /// Destroys all of them. No task may use one any more.
    ~worker_local() = default;

    /// Returns the calling thread's own. The first call of a visitor throws std::bad_alloc, and what making a T throws.
    [[nodiscard]] T& local() {
        const threading::worker* const self = threading::current;
        if (self == nullptr || &self->home() != home_) return slots_[count_ - 1].value;
        if (home_->is_visitor(self->id())) [[unlikely]]
            return of_visitor(self->id() - home_->size());
        return slots_[self->id()].value;
    }

private:
    template <bool IsConst>
    class basic_iterator {
        using owner = std::conditional_t<IsConst, const worker_local, worker_local>;
        using element = std::conditional_t<IsConst, const T, T>;

    public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        basic_iterator() = default;
        element& operator*() const { return of_->number(at_).value; }
        element* operator->() const { return std::addressof(**this); }
        basic_iterator& operator++() {
            ++at_;
            return *this;
        }
        basic_iterator operator++(int) {
            basic_iterator old = *this;
            ++at_;
            return old;
        }
        bool operator==(const basic_iterator&) const = default;

    private:
        friend class worker_local;
        basic_iterator(owner* of, std::size_t at) : of_(of), at_(at) {}
        owner* of_ = nullptr;
        std::size_t at_ = 0;
    };

public:
    /// Goes over all of them. No task may use them meanwhile, unless T allows that.
    using iterator = basic_iterator<false>;
    /// Goes over all of them without changing them. No task may use them meanwhile.
    using const_iterator = basic_iterator<true>;
    /// The object of the first worker.
    iterator begin() noexcept { return iterator(this, 0); }
    /// The end, behind the last one.
    iterator end() noexcept { return iterator(this, size()); }
    /// The first worker's.
    const_iterator begin() const noexcept { return const_iterator(this, 0); }
    /// The end, behind the last one.
    const_iterator end() const noexcept { return const_iterator(this, size()); }
    /// How many there are: one per worker, one for all threads outside, and those that visitors have asked for.
    [[nodiscard]] std::size_t size() const noexcept { return count_ + visitors_.size(); }

    /// Folds all of them, in the order of the workers. The operation may change them.
    template <class U, class Operation>
    [[nodiscard]] U combine(U initial, Operation operation) {
        for (T& value : *this) initial = operation(std::move(initial), value);
        return initial;
    }
    /// Folds all of them, in the order of the workers: `operation(sum, value)` returns the new sum. O(size()) calls.
    template <class U, class Operation>
    U combine(U initial, Operation operation) const {
        for (const T& value : *this) initial = operation(std::move(initial), value);
        return initial;
    }

private:
    struct by_default {};
    struct copy_of {
        T initial;
        T operator()() const { return initial; }
    };

    // Its T is made in place, by a call of `make` if there is one.
    struct alignas(base::cache_line) slot {
        explicit slot(by_default&) : value{} {}
        template <class Make>
        explicit slot(Make& make) : value(make()) {}
        T value;
    };

    // An array of n slots.
    class slots {
    public:
        template <class Make>
        slots(std::size_t n, Make& make) : first_(std::allocator<slot>{}.allocate(n)), room_(n) {
            try {
                for (; made_ < n; ++made_) std::construct_at(first_ + made_, make);
            } catch (...) {
                release();
                throw;
            }
        }
        ~slots() { release(); }
        slots(const slots&) = delete;
        slots& operator=(const slots&) = delete;
        slot& operator[](std::size_t n) noexcept { return first_[n]; }
        const slot& operator[](std::size_t n) const noexcept { return first_[n]; }

    private:
        void release() noexcept {
            std::destroy_n(first_, made_);
            std::allocator<slot>{}.deallocate(first_, room_);
        }
        slot* const first_;
        const std::size_t room_;
        std::size_t made_ = 0;
    };

    struct visitor {
        std::uint32_t number;
        std::unique_ptr<slot> place;
    };

    // std::function copies what it calls, which `make` may not allow.
    template <class Make>
    worker_local(threading::pool& home, Make make)
        : home_(&home),
          count_(home.size() + 1),
          slots_(count_, make),
          make_slot_([kept = std::make_shared<Make>(std::move(make))] { return std::make_unique<slot>(*kept); }) {}

    slot& number(std::size_t n) noexcept { return n < count_ ? slots_[n] : *visitors_[n - count_].place; }
    const slot& number(std::size_t n) const noexcept { return n < count_ ? slots_[n] : *visitors_[n - count_].place; }

    // The lock is not held while a T is made, because that may call anything.
    [[gnu::noinline]] T& of_visitor(std::uint32_t number) {
        if (T* const known = known_of_visitor(number)) return *known;
        std::unique_ptr<slot> fresh = make_slot_();
        // Making it may have run a task that asked, too.
        if (T* const known = known_of_visitor(number)) return *known;
        const std::scoped_lock guard(mutex_);
        visitors_.push_back({number, std::move(fresh)});
        return visitors_.back().place->value;
    }

    T* known_of_visitor(std::uint32_t number) {
        const std::scoped_lock guard(mutex_);
        for (const visitor& v : visitors_)
            if (v.number == number) return std::addressof(v.place->value);
        return nullptr;
    }

    threading::pool* home_;
    std::size_t count_;
    slots slots_;
    std::function<std::unique_ptr<slot>()> make_slot_;
    std::mutex mutex_;
    std::vector<visitor> visitors_;
};

}  // namespace parley::inline v0
