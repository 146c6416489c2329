// How many items make a batch: as many as take some microseconds. And whether even that is too little to be shared.
#pragma once

#include <parley/detail/sync/hint.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace parley::inline v0::streaming {

// Several times what a batch costs beside its items (about half a microsecond), and short enough for the last
// batches of a stream to be shared.
inline constexpr std::uint64_t batch_time_ns = 8'000;

// Items that take nothing gain nothing by longer batches.
inline constexpr std::size_t longest_batch = 256;

// Below this another worker would need longer to get a batch than to do it (a steal takes some microseconds here,
// and the sink waits for it if it was the oldest): whoever has it does it.
inline constexpr std::uint64_t short_batch_ns = 1'500;

// Measured by everybody who has worked on a batch, read by the source. The updates of several workers may get lost:
// each of them is as good as the other.
class batch_size {
public:
    // `fixed`: chosen by the user, or 0.
    batch_size(std::size_t most, std::size_t fixed) noexcept
        : most_(most), fixed_(fixed != 0), size_(fixed != 0 ? std::min(fixed, most) : 1) {}

    [[nodiscard]] std::size_t get() const noexcept { return size_.get(); }
    [[nodiscard]] bool is_fixed() const noexcept { return fixed_; }

    // Do batches take so little, in the mean of the last ones? Not before some have been seen.
    [[nodiscard]] bool is_short() const noexcept { return mean_ns_.get() < short_batch_ns; }

    // Twice or half as long at a time: one batch may have been interrupted, or have had the one long item.
    void measured(std::size_t items, std::uint64_t ns) noexcept {
        if (items == 0) return;
        mean_ns_.set(mean_ns_.get() - mean_ns_.get() / 8 + ns / 8);
        if (fixed_) return;
        const std::size_t now = size_.get();
        const std::uint64_t fit = items * batch_time_ns / std::max<std::uint64_t>(ns, 1);
        if (fit >= 2 * now) size_.set(std::min(most_, 2 * now));
        else if (fit < now) size_.set(std::max<std::size_t>({1, now / 2, static_cast<std::size_t>(fit)}));
    }

private:
    const std::size_t most_;
    const bool fixed_;
    sync::hint<std::size_t> size_;
    sync::hint<std::uint64_t> mean_ns_{1'000'000};
};

}  // namespace parley::inline v0::streaming
