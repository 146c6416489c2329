// Counts the parts of something that are not done yet. The thread that finishes the last one learns it.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class remaining {
public:
    explicit remaining(std::uint64_t parts) noexcept : parts_(parts) {}

    // For a thread whose own part is not done. Relaxed: other threads learn of new parts when these are handed over.
    void add(std::uint64_t parts) noexcept { parts_.fetch_add(parts, std::memory_order_relaxed); }

    // True for the last part, whose thread sees what all the others did before. acq_rel: pairs with theirs.
    [[nodiscard]] bool done() noexcept { return parts_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

private:
    atomic<std::uint64_t> parts_;
};

}  // namespace parley::inline v0::sync
