// A value that one party shows and others may look at, when nothing that matters depends on when they see it.
#pragma once

#include <atomic>
#include <type_traits>

namespace parley::inline v0::sync {

template <class T>
    requires std::is_trivially_copyable_v<T>
class hint {
public:
    explicit hint(T initial = T{}) noexcept : value_(initial) {}
    void set(T value) noexcept { value_.store(value, std::memory_order_relaxed); }
    [[nodiscard]] T get() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<T> value_;
};

}  // namespace parley::inline v0::sync
