#include <broker/policy/knowledge.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace parley::inline v0::broker {

const usable_cores& knowledge::usable(program_id p) const {
    static const usable_cores all;
    const claim* const row = rows.find(p);
    return row == nullptr ? all : row->usable;
}

std::optional<core_id> knowledge::idle_core(program_id p) const {
    const usable_cores& may = usable(p);
    for (const core_id c : table->cores_of(self))
        if (who.is_idle(c) && may.has(c)) return c;
    return std::nullopt;
}

bool knowledge::has_idle_core(section_id s, program_id p) const {
    const usable_cores& may = usable(p);
    const std::span<const core_id> cores = table->cores_of(s);
    return std::any_of(cores.begin(), cores.end(), [&](core_id c) { return who.is_idle(c) && may.has(c); });
}

bool knowledge::has_alone(program_id holder, program_id taker) const {
    const usable_cores& may = usable(taker);
    const std::span<const core_id> cores = who.cores_of(holder);
    return std::any_of(cores.begin(), cores.end(), [&](core_id c) { return who.holders(c).size() == 1 && may.has(c); });
}

std::uint32_t knowledge::held_as_first(const led_program& p) const {
    return static_cast<std::uint32_t>(
        std::count_if(p.cores.begin(), p.cores.end(), [&](const auto& c) { return !who.is_guest(c.first, p.row.program); }));
}

std::optional<core_id> knowledge::least_shared(section_id s, program_id p) const {
    const usable_cores& may = usable(p);
    std::optional<core_id> best;
    for (const core_id c : table->cores_of(s))
        if (may.has(c) && !who.stamp(c, p) && (!best || who.holders(c).size() < who.holders(*best).size())) best = c;
    return best;
}

std::optional<core_id> knowledge::most_inefficient(const led_program& p, const std::vector<core_id>& cores) const {
    std::vector<std::uint32_t> in_section(table->sections(), 0);
    for (const auto& [c, stamp] : p.cores) ++in_section[table->owner(c)];
    const auto worth = [&](core_id c) {  // less is given up first
        return std::tuple(p.efficiency_on(c), in_section[table->owner(c)], unlimited - c);
    };
    const auto least =
        std::min_element(cores.begin(), cores.end(), [&](core_id a, core_id b) { return worth(a) < worth(b); });
    return least == cores.end() ? std::nullopt : std::optional(*least);
}

}  // namespace parley::inline v0::broker
