// What one section knows: the tables that all have, and the programs it leads. Policies read it.
#pragma once

#include <broker/policy/claims.hpp>
#include <broker/policy/led_program.hpp>
#include <broker/policy/participation.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {

struct knowledge {
    // The table is the same object for all sections: it never changes.
    knowledge(section_id s, std::shared_ptr<const ownership> t)
        : self(s), table(std::move(t)), who(*table), rows(table->sections()) {}

    section_id self;
    std::shared_ptr<const ownership> table;
    participation who;
    claims rows;
    std::map<program_id, led_program> led;
    std::map<program_id, std::uint32_t> shares = {};  // fair ones, if the policy has such

    // Cores that the program can have: a worker on each.
    [[nodiscard]] std::uint32_t most(const claim& row) const { return std::clamp(row.most, 1u, table->cores()); }
    [[nodiscard]] bool is_own(core_id c) const { return table->owner(c) == self; }
    // Which cores the program may use. All, where its claim has not come yet: its leader, who knows, gives a wrong one
    // back.
    [[nodiscard]] const usable_cores& usable(program_id) const;
    [[nodiscard]] bool is_restricted(program_id p) const { return !usable(p).are_all(); }
    // The first idle core of this section that the program may use.
    [[nodiscard]] std::optional<core_id> idle_core(program_id) const;
    [[nodiscard]] bool has_idle_core(section_id, program_id) const;
    [[nodiscard]] std::uint32_t share(program_id p) const {
        const auto found = shares.find(p);
        return found == shares.end() ? 1 : found->second;
    }
    // Whether a program has a core for itself alone that another one may use.
    [[nodiscard]] bool has_alone(program_id holder, program_id taker) const;
    // Cores on which it is no guest.
    [[nodiscard]] std::uint32_t held_as_first(const led_program&) const;
    // Of a section's cores that the program may use and does not hold the one with the fewest holders; of equals, the
    // first.
    [[nodiscard]] std::optional<core_id> least_shared(section_id, program_id) const;
    // The core on which the program wastes most. Of equals, one of the section where it has fewest; then the last.
    // None, if `cores` is empty.
    [[nodiscard]] std::optional<core_id> most_inefficient(const led_program&, const std::vector<core_id>& cores) const;
};

}  // namespace parley::inline v0::broker
