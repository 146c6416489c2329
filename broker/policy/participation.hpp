// The participation table [BI §2.5]: who holds which core. Each section has a replica. Only a core's owner changes who
// holds it, and tells all others by DELTA in the order of the changes: once all have arrived, replicas are equal.
#pragma once

#include <broker/policy/ownership.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace parley::inline v0::broker {

// A program on a core. The stamp, given by the owner, is another one each time: what is said about an earlier stay
// of the same program on the same core is known as such.
struct holding {
    program_id program = 0;
    std::uint64_t stamp = 0;
    friend bool operator==(const holding&, const holding&) = default;
};

// A program's turn on a core that it shares: slot `which` of `of` (gang.hpp).
struct shared_turn {
    std::uint32_t which = 0;
    std::uint32_t of = 1;
    friend bool operator==(const shared_turn&, const shared_turn&) = default;
};

// Numbers may come from a log that is damaged: of a core that is not there all throw std::out_of_range.
class participation {
public:
    explicit participation(const ownership& table) : table_(&table), holders_(table.cores()) {}

    // In the order of their coming. More than one: they share the core on purpose.
    [[nodiscard]] std::span<const holding> holders(core_id c) const { return holders_.at(c); }
    [[nodiscard]] bool is_idle(core_id c) const { return holders_.at(c).empty(); }
    // Of several that share a core, who came first counts as its holder; the others look for a better one.
    [[nodiscard]] bool is_guest(core_id c, program_id p) const { return !is_idle(c) && holders_.at(c).front().program != p; }
    // The stamp, if it is there.
    [[nodiscard]] std::optional<std::uint64_t> stamp(core_id, program_id) const;
    // In the order of the programs' numbers, so cores that the same programs share have the same turns. Of a holder.
    [[nodiscard]] shared_turn turn(core_id, program_id) const;
    // In ascending order.
    [[nodiscard]] std::span<const core_id> cores_of(program_id) const;
    [[nodiscard]] std::uint32_t count(program_id p) const { return static_cast<std::uint32_t>(cores_of(p).size()); }

    void add(core_id, holding);
    void remove(core_id, holding);

    // Who leads the program, alike everywhere: the section that owns a strict majority of its cores, else of those
    // that own some the one with the highest number. Nobody, if it has no core.
    [[nodiscard]] std::optional<section_id> leader(program_id) const;

    // Whether both say the same.
    [[nodiscard]] bool agrees_with(const participation& other) const { return holders_ == other.holders_; }

private:
    const ownership* table_;
    std::vector<std::vector<holding>> holders_;
    std::map<program_id, std::vector<core_id>> cores_;
};

}  // namespace parley::inline v0::broker
