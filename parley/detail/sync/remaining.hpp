// How many parts of something are not done yet; whoever finishes the last one learns it.
#pragma once

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class remaining {
public:
    explicit remaining(std::uint64_t parts) noexcept : parts_(parts) {}

    // By whoever has a part that is not done. Relaxed: it goes on by what it hands over with the new ones.
    void add(std::uint64_t parts) noexcept { parts_.fetch_add(parts, std::memory_order_relaxed); }

    // True for the last one, which sees what all the others did before. acq_rel: pairs with theirs.
    [[nodiscard]] bool done() noexcept { return parts_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

private:
    std::atomic<std::uint64_t> parts_;
};

}  // namespace parley::inline v0::sync
