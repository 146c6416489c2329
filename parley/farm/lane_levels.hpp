/// @file
/// A scheduler sees how much each lane has.
#pragma once

#include <cstddef>
#include <span>

namespace parley::inline v0 {

/// The levels of all lanes. A level is the number of items that the lane was given and has not finished. They are read
/// one by one and only when asked for, because another processor writes each (the paper, section II: "a comparatively
/// expensive operation").
class lane_levels {
public:
    /// Reads the level of a lane.
    using reader = std::size_t (*)(const void* context, std::size_t lane);

    /// `ready` is the number of items that wait to be scheduled, with the one at hand.
    lane_levels(const void* context, reader read, std::size_t lanes, std::size_t ready) noexcept
        : context_(context), read_(read), lanes_(lanes), ready_(ready) {}
    /// Takes levels from an array that outlives this object.
    explicit lane_levels(std::span<const std::size_t> levels, std::size_t ready = 1) noexcept
        : context_(levels.data()),
          read_([](const void* all, std::size_t lane) { return static_cast<const std::size_t*>(all)[lane]; }),
          lanes_(levels.size()),
          ready_(ready) {}

    /// The number of lanes.
    [[nodiscard]] std::size_t size() const noexcept { return lanes_; }
    /// Reads the level of a lane, a word that others write.
    [[nodiscard]] std::size_t operator[](std::size_t lane) const { return read_(context_, lane); }
    /// The number of items that wait to be scheduled, with the one at hand.
    [[nodiscard]] std::size_t ready() const noexcept { return ready_; }

private:
    const void* context_;
    reader read_;
    std::size_t lanes_;
    std::size_t ready_;
};

}  // namespace parley::inline v0
