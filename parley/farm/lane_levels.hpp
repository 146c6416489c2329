/// @file
/// What a scheduler sees of the lanes: how much each of them has.
#pragma once

#include <cstddef>
#include <span>

namespace parley::inline v0 {

/// The level of a lane: the items that it was given and has not finished, the one that it works on included.
/// Read one by one and only when asked for: each is a word that another processor writes (the paper, section II:
/// "a comparatively expensive operation").
class lane_levels {
public:
    /// Reads the level of a lane.
    using reader = std::size_t (*)(const void* context, std::size_t lane);

    /// `ready`: items that wait to be scheduled, at least the one that it is about.
    lane_levels(const void* context, reader read, std::size_t lanes, std::size_t ready) noexcept
        : context_(context), read_(read), lanes_(lanes), ready_(ready) {}
    /// Levels that lie in an array which outlives this object.
    explicit lane_levels(std::span<const std::size_t> levels, std::size_t ready = 1) noexcept
        : context_(levels.data()),
          read_([](const void* all, std::size_t lane) { return static_cast<const std::size_t*>(all)[lane]; }),
          lanes_(levels.size()),
          ready_(ready) {}

    /// How many lanes there are.
    [[nodiscard]] std::size_t size() const noexcept { return lanes_; }
    /// The level of a lane: reads a word that others write.
    [[nodiscard]] std::size_t operator[](std::size_t lane) const { return read_(context_, lane); }
    /// How many items wait to be scheduled, the one at hand included.
    [[nodiscard]] std::size_t ready() const noexcept { return ready_; }

private:
    const void* context_;
    reader read_;
    std::size_t lanes_;
    std::size_t ready_;
};

}  // namespace parley::inline v0
