// A ring for several senders, several receivers, or both. A lock at each such end lets one thread at a time use it.
// Senders and receivers do not wait for each other.
//
// "Full" and "empty" are true at one moment of the call. A queue that hands out places before they are filled could not
// say that: it seems empty behind a sender that has stopped half-way.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/sync/ring.hpp>

#include <cstddef>
#include <mutex>

namespace parley::inline v0::sync {

enum class ends { many_to_many, many_to_one, one_to_one };

// A ring for as many senders and receivers as `which` says.
class shared_ring {
public:
    shared_ring(std::size_t message_bytes, std::size_t capacity, ends which)
        : ring_(message_bytes, capacity), which_(which) {}

    [[nodiscard]] std::size_t message_bytes() const noexcept { return ring_.message_bytes(); }
    [[nodiscard]] std::size_t count() const noexcept { return ring_.count(); }

    [[nodiscard]] bool send(const void* data, std::size_t size) {
        if (which_ == ends::one_to_one) return ring_.send(data, size);
        const std::scoped_lock guard(senders_);
        return ring_.send(data, size);
    }
    [[nodiscard]] bool receive(void* data, std::size_t size) {
        if (which_ != ends::many_to_many) return ring_.receive(data, size);
        const std::scoped_lock guard(receivers_);
        return ring_.receive(data, size);
    }

private:
    ring ring_;
    const ends which_;
    std::mutex senders_;
    alignas(base::cache_line) std::mutex receivers_;
};

}  // namespace parley::inline v0::sync
