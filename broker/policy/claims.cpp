#include <broker/policy/claims.hpp>

#include <cstdint>
#include <set>

namespace parley::inline v0::broker {
namespace {

std::uint32_t counted(const claim& row) noexcept { return row.asleep ? 0 : 1; }

}  // namespace

bool claims::apply(const claim& row) {
    if (is_ending(row.program)) return false;
    const auto [place, is_new] = rows_.try_emplace(row.program, row);
    if (is_new) {
        awake_ += counted(row);
    } else if (place->second.version < row.version) {
        awake_ += counted(row);
        awake_ -= counted(place->second);
        place->second = row;
    }
    return is_new;
}

bool claims::end(program_id p, section_id from) {
    const bool is_first = !is_ending(p);
    if (const auto row = rows_.find(p); row != rows_.end()) {
        awake_ -= counted(row->second);
        rows_.erase(row);
    }
    std::set<section_id>& said = ending_[p];
    said.insert(from);
    if (said.size() == sections_) ending_.erase(p);
    return is_first;
}

}  // namespace parley::inline v0::broker
