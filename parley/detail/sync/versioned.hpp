// A record that one party writes and others copy whole, between processes, too: a number beside it is odd while it is
// written. Nobody waits: who copies looks whether it was written meanwhile, and a writer that dies stops nobody.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace parley::inline v0::sync {

// One word of such a record, also in memory that processes share.
template <class T>
using record_part = std::atomic<T>;
using version_number = record_part<std::uint32_t>;
static_assert(record_part<std::uint64_t>::is_always_lock_free && version_number::is_always_lock_free);

// Instead of fences, which ThreadSanitizer does not know: whoever sees a new part (acquire)
// sees, too, that the number had become odd before (release).
template <class T>
[[nodiscard]] T part(const record_part<T>& from) noexcept {
    return from.load(std::memory_order_acquire);
}
template <class T>
void set_part(record_part<T>& to, std::type_identity_t<T> value) noexcept {
    to.store(value, std::memory_order_release);
}

// The version that copy() has copied whole; none if the record was written at each of so many tries. What copy() has
// made of it at the others is of no use.
template <class Copy>
[[nodiscard]] std::optional<std::uint32_t> copy_whole(const version_number& version, unsigned tries, Copy copy) {
    for (unsigned i = 0; i < tries; ++i) {
        const std::uint32_t before = version.load(std::memory_order_acquire);
        if (before % 2 != 0) continue;
        copy();
        // Not earlier than copy()'s own loads, which acquire.
        if (version.load(std::memory_order_relaxed) == before) return before;
    }
    return std::nullopt;
}

// By the only writer. A number that a writer has left odd when it died is passed over. Returns the new one.
template <class Write>
std::uint32_t write_whole(version_number& version, Write write) {
    const std::uint32_t odd = (version.load(std::memory_order_relaxed) + 1) | 1;
    version.store(odd, std::memory_order_relaxed);
    write();
    version.store(odd + 1, std::memory_order_release);
    return odd + 1;
}

}  // namespace parley::inline v0::sync
