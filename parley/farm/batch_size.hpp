// The number of items in a batch, which takes some microseconds. Also whether even that is too short to be shared.
#pragma once

#include <parley/detail/sync/counter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace parley::inline v0::streaming {

// A batch costs about half a microsecond beside its items; this is several times as much. It is short enough for the
// last batches of a stream to be shared.
inline constexpr std::uint64_t batch_time_ns = 8'000;

// Longer batches would gain nothing, even with items that take no time.
inline constexpr std::size_t longest_batch = 256;

// A shorter batch is done by the worker that has it. Another worker would need longer to get it than to do it, because
// a steal takes some microseconds. And the sink waits for it if it was the oldest.
inline constexpr std::uint64_t short_batch_ns = 1'500;

// Every worker that has worked on a batch measures it, and the source reads the result. Updates of several workers may
// get lost, because each is as good as another.
class batch_size {
public:
    // `fixed` is the user's choice, or 0.
    batch_size(std::size_t most, std::size_t fixed) noexcept
        : most_(most), fixed_(fixed != 0), size_(fixed != 0 ? std::min(fixed, most) : 1) {}

    [[nodiscard]] std::size_t get() const noexcept { return size_.get(); }
    [[nodiscard]] bool is_fixed() const noexcept { return fixed_; }

    // Do batches take little time, in the mean of the last ones? False until some have been measured.
    [[nodiscard]] bool is_short() const noexcept { return mean_ns_.get() < short_batch_ns; }

    // Doubles or halves the size at most, because one batch may have been interrupted, or have had a single long item.
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
