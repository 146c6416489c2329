#include <broker/policy/participation.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace parley::inline v0::broker {

std::optional<std::uint64_t> participation::stamp(core_id c, program_id p) const {
    for (const holding& h : holders_.at(c))
        if (h.program == p) return h.stamp;
    return std::nullopt;
}

shared_turn participation::turn(core_id c, program_id p) const {
    const std::span<const holding> here = holders(c);
    const auto before = std::count_if(here.begin(), here.end(), [&](const holding& h) { return h.program < p; });
    return {static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(here.size())};
}

std::span<const core_id> participation::cores_of(program_id p) const {
    const auto found = cores_.find(p);
    return found == cores_.end() ? std::span<const core_id>{} : std::span<const core_id>(found->second);
}

void participation::add(core_id c, holding h) {
    holders_.at(c).push_back(h);
    std::vector<core_id>& cores = cores_[h.program];
    cores.insert(std::lower_bound(cores.begin(), cores.end(), c), c);
}

void participation::remove(core_id c, holding h) {
    if (std::erase(holders_.at(c), h) == 0) return;
    const auto found = cores_.find(h.program);
    if (found == cores_.end()) return;  // it was there twice: no owner says that, but a damaged log may
    std::erase(found->second, c);
    if (found->second.empty()) cores_.erase(found);
}

std::optional<section_id> participation::leader(program_id p) const {
    const std::span<const core_id> cores = cores_of(p);
    if (cores.empty()) return std::nullopt;
    std::vector<std::uint32_t> owned(table_->sections(), 0);
    section_id highest = 0;
    for (const core_id c : cores) {
        const section_id s = table_->owner(c);
        highest = std::max(highest, s);
        if (++owned[s] * 2 > cores.size()) return s;
    }
    return highest;
}

}  // namespace parley::inline v0::broker
