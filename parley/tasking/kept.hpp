// The heap memory of futures: arguments and results that are too large for a task, and exceptions. It is freed even if
// nobody awaits the futures.
#pragma once

#include <parley/detail/base/cache_line.hpp>

#include <cstddef>
#include <exception>
#include <mutex>
#include <new>

namespace parley::inline v0::tasking {

class kept_list;

struct alignas(base::cache_line) kept {
    explicit kept(kept_list& l) noexcept : list(l) {}

    kept_list& list;
    kept* next = nullptr;
    kept* previous = nullptr;
    std::size_t result_bytes = 0;
    std::exception_ptr failure;

    // The bytes behind this object.
    [[nodiscard]] void* data() noexcept { return this + 1; }
};
static_assert(sizeof(kept) == base::cache_line);

// The kept objects of one worker's futures. Only that worker adds, any worker may drop. So workers share a lock only if
// one awaits what another has made.
class kept_list {
public:
    kept_list() = default;
    kept_list(const kept_list&) = delete;
    kept_list& operator=(const kept_list&) = delete;
    ~kept_list() {
        while (first_ != nullptr) drop(first_);
    }

    // Makes one with `bytes` bytes behind it. Throws std::bad_alloc.
    [[nodiscard]] kept* add(std::size_t bytes) {
        void* const memory = ::operator new(sizeof(kept) + bytes, std::align_val_t{alignof(kept)});
        auto* const made = ::new (memory) kept(*this);
        const std::scoped_lock guard(mutex_);
        made->next = first_;
        if (first_ != nullptr) first_->previous = made;
        first_ = made;
        return made;
    }
    static void drop(kept* one) noexcept {
        one->list.remove(*one);
        one->~kept();
        ::operator delete(one, std::align_val_t{alignof(kept)});
    }

private:
    void remove(const kept& one) noexcept {
        const std::scoped_lock guard(mutex_);
        (one.previous != nullptr ? one.previous->next : first_) = one.next;
        if (one.next != nullptr) one.next->previous = one.previous;
    }

    std::mutex mutex_;
    kept* first_ = nullptr;
};

}  // namespace parley::inline v0::tasking
