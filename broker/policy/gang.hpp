// Phase-locked gang scheduling [BI §4]: programs that share cores take turns, and every worker of a program knows from
// the clock alone when its turn is. No message per dispatch; members agree as far as their clocks do.
#pragma once

#include <broker/policy/ids.hpp>

#include <cstdint>
#include <optional>

namespace parley::inline v0::broker {

// One turn after the other, of equal length, from `phase` on; `period` turns make a round.
struct slots {
    nanoseconds phase = 0;
    nanoseconds length = 10'000'000;  // > 0
    std::uint32_t period = 1;         // > 0

    // Whose turn it is; before `phase`, as if rounds had gone on before it.
    [[nodiscard]] constexpr std::uint32_t at(nanoseconds clock) const noexcept {
        if (clock >= phase) return static_cast<std::uint32_t>((clock - phase) / length % period);
        const nanoseconds back = (phase - clock - 1) / length % period;
        return period - 1 - static_cast<std::uint32_t>(back);
    }
    // When the turn at `clock` ends.
    [[nodiscard]] constexpr nanoseconds end_of_turn(nanoseconds clock) const noexcept {
        if (clock >= phase) return clock + length - (clock - phase) % length;
        return clock + (phase - clock - 1) % length + 1;
    }
    // The first moment from `clock` on that is `who`'s.
    [[nodiscard]] constexpr nanoseconds next_turn(std::uint32_t who, nanoseconds clock) const noexcept {
        const std::uint32_t now = at(clock);
        if (now == who) return clock;
        const std::uint32_t between = (who + period - now) % period - 1;
        return end_of_turn(clock) + between * length;
    }
};

// Several turns of a round may be one program's, by weight: those from `first` on.
struct turns {
    std::uint32_t first = 0;
    std::uint32_t count = 1;
    [[nodiscard]] constexpr bool contains(std::uint32_t slot) const noexcept {
        return slot >= first && slot - first < count;
    }
};

// A round on the shared cores, and which of its turns are the program's.
struct gang_turns {
    // Turns that are shorter are not kept: changing them would cost more than they give.
    static constexpr nanoseconds shortest = 1'000'000;

    slots round;
    turns own;

    [[nodiscard]] constexpr bool is_own(nanoseconds clock) const noexcept { return own.contains(round.at(clock)); }

    // When it is somebody else's turn instead of the program's, or the other way round. None: never.
    [[nodiscard]] constexpr std::optional<nanoseconds> next_change(nanoseconds clock) const noexcept {
        const bool has_all = own.first == 0 && own.count >= round.period;
        if (round.length < shortest || own.first >= round.period || own.count == 0 || has_all) return std::nullopt;
        if (!is_own(clock)) return round.next_turn(own.first, clock);
        const std::uint32_t after = own.count < round.period - own.first ? own.first + own.count : 0;
        return round.next_turn(after, clock);
    }
};

}  // namespace parley::inline v0::broker
