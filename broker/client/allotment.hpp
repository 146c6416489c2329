// What the broker has given to a program, read whole from the page on which it stands.
#pragma once

#include <broker/client/pages.hpp>
#include <broker/policy/classes.hpp>
#include <broker/policy/gang.hpp>
#include <broker/policy/ids.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace parley::inline v0::broker {

using core_mask = std::array<std::uint64_t, most_cores / 64>;

struct allotment {
    std::uint32_t generation = 0;
    std::vector<core_id> alone;   // ascending
    std::vector<core_id> shared;  // ascending; none of those above
    program_class judged = program_class::satisfied;
    std::uint32_t desire = 0;
    std::optional<gang_turns> gang;  // none: the system shares what is shared

    // What the program may use then, ascending. In others' turns it leaves the shared cores to them; it keeps the first
    // one if it has no others, for it must not stand still: somebody may wait for what it holds.
    [[nodiscard]] std::vector<core_id> cores_at(nanoseconds clock) const;
    // When that changes. None: never.
    [[nodiscard]] std::optional<nanoseconds> next_change(nanoseconds clock) const;
};

// The cores of this process' calling thread that a mask has room for.
[[nodiscard]] core_mask own_cores();

// None if the page is being written, holds nothing yet, or no core that is `allowed`: what was read before stays true.
// Never waits: the broker may have died while it wrote.
[[nodiscard]] std::optional<allotment> read_allotment(const allotment_page& page, const core_mask& allowed);

}  // namespace parley::inline v0::broker
