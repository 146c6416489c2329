// The library's atomics where the explorer of the memory model runs it (parley/detail/sync/atomic.hpp). They hold the
// initial value; what is written later is in the graph of the execution (lab/memory/graph.hpp).
#pragma once

#include <lab/memory/calls.hpp>

#include <atomic>
#include <cstdint>
#include <source_location>
#include <type_traits>

namespace parley::inline v0::sync {

template <class T>
    requires std::is_trivially_copyable_v<T> && (sizeof(T) <= sizeof(std::uint64_t))
class atomic {
    using order = std::memory_order;
    using place = std::source_location;
    using does = memory::does;

public:
    using value_type = T;
    static constexpr bool is_always_lock_free = std::atomic<T>::is_always_lock_free;

    constexpr atomic() noexcept : atomic(T{}) {}
    constexpr atomic(T initial) noexcept : value_(initial) {  // NOLINT(google-explicit-constructor): as that of std::atomic
        if (!std::is_constant_evaluated()) memory::constructed(this);
    }
    constexpr ~atomic() {
        if (!std::is_constant_evaluated()) memory::destroyed(this, sizeof(T));
    }
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(order o = order::seq_cst, place p = place::current()) const noexcept {
        return to_value(run(does::load, {}, o, p));
    }
    void store(T value, order o = order::seq_cst, place p = place::current()) noexcept { run(does::store, value, o, p); }
    T exchange(T value, order o = order::seq_cst, place p = place::current()) noexcept {
        return to_value(run(does::exchange, value, o, p));
    }
    bool compare_exchange_strong(T& seen, T next, order success, order failure, place p = place::current()) noexcept {
        const std::uint64_t expected = to_bits(seen);
        const std::uint64_t found = memory::perform({.what = does::compare_exchange,
                                                     .address = reinterpret_cast<std::uintptr_t>(this),
                                                     .bytes = sizeof(T),
                                                     .order = success,
                                                     .failure = failure,
                                                     .operand = to_bits(next),
                                                     .expected = expected,
                                                     .site = p});
        if (found != expected) seen = to_value(found);
        return found == expected;
    }
    bool compare_exchange_strong(T& seen, T next, order o = order::seq_cst, place p = place::current()) noexcept {
        return compare_exchange_strong(seen, next, o, failure_of(o), p);
    }
    // It does not fail without a reason: its callers are loops that try again.
    bool compare_exchange_weak(T& seen, T next, order success, order failure, place p = place::current()) noexcept {
        return compare_exchange_strong(seen, next, success, failure, p);
    }
    bool compare_exchange_weak(T& seen, T next, order o = order::seq_cst, place p = place::current()) noexcept {
        return compare_exchange_strong(seen, next, o, failure_of(o), p);
    }
    T fetch_add(T by, order o = order::seq_cst, place p = place::current()) noexcept {
        return to_value(run(does::add, by, o, p));
    }
    T fetch_sub(T by, order o = order::seq_cst, place p = place::current()) noexcept {
        return to_value(run(does::subtract, by, o, p));
    }
    T fetch_or(T bits, order o = order::seq_cst, place p = place::current()) noexcept {
        return to_value(run(does::set_bits, bits, o, p));
    }
    T fetch_and(T bits, order o = order::seq_cst, place p = place::current()) noexcept {
        return to_value(run(does::keep_bits, bits, o, p));
    }

private:
    static std::uint64_t to_bits(T value) noexcept {
        std::uint64_t bits = 0;
        memory::copy(&bits, &value, sizeof(T));
        return bits;
    }
    static T to_value(std::uint64_t bits) noexcept {
        T value{};
        memory::copy(&value, &bits, sizeof(T));
        return value;
    }
    static constexpr order failure_of(order o) noexcept {
        return o == order::acq_rel ? order::acquire : o == order::release ? order::relaxed : o;
    }
    std::uint64_t run(does what, T operand, order o, place p) const noexcept {
        return memory::perform({.what = what,
                                .address = reinterpret_cast<std::uintptr_t>(this),
                                .bytes = sizeof(T),
                                .order = o,
                                .operand = to_bits(operand),
                                .site = p});
    }

    T value_;
};

}  // namespace parley::inline v0::sync
