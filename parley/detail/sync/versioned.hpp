// A record that one thread writes and others copy whole, also between processes. A number beside it is odd while it is
// written. Nobody waits: a reader looks whether the record was written meanwhile, and a writer that dies stops nobody.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace parley::inline v0::sync {

// One word of such a record. It may lie in memory that processes share.
template <class T>
using record_part = atomic<T>;
using version_number = record_part<std::uint32_t>;
static_assert(record_part<std::uint64_t>::is_always_lock_free && version_number::is_always_lock_free);

// Acquire and release stand for fences, which ThreadSanitizer does not know. A thread that sees a new part also sees
// that the number became odd before.
template <class T>
[[nodiscard]] T part(const record_part<T>& from) noexcept {
    return from.load(std::memory_order_acquire);
}
template <class T>
void set_part(record_part<T>& to, std::type_identity_t<T> value) noexcept {
    to.store(value, std::memory_order_release);
}

// Returns the version that copy() has copied whole, or none if the record was written at each of `tries` tries. What
// copy() has made at any other try is of no use.
template <class Copy>
[[nodiscard]] std::optional<std::uint32_t> copy_whole(const version_number& version, unsigned tries, Copy copy) {
    for (unsigned i = 0; i < tries; ++i) {
        const std::uint32_t before = version.load(std::memory_order_acquire);
        if (before % 2 != 0) continue;
        copy();
        // This load is not done before copy()'s own loads, because they acquire.
        if (version.load(std::memory_order_relaxed) == before) return before;
    }
    return std::nullopt;
}

// For the only writer. An odd number that a dead writer has left is passed over. Returns the new number.
template <class Write>
std::uint32_t write_whole(version_number& version, Write write) {
    const std::uint32_t odd = (version.load(std::memory_order_relaxed) + 1) | 1;
    version.store(odd, std::memory_order_relaxed);
    write();
    version.store(odd + 1, std::memory_order_release);
    return odd + 1;
}

}  // namespace parley::inline v0::sync
