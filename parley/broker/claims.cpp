#include <parley/broker/claims.hpp>

#include <algorithm>

namespace parley::inline v0::broker {

bool claims::apply(const claim& row) {
    if (is_ending(row.program)) return false;
    const auto [place, is_new] = rows_.try_emplace(row.program, row);
    if (!is_new && place->second.version < row.version) place->second = row;
    return is_new;
}

bool claims::end(program_id p, section_id from) {
    const bool is_first = !is_ending(p);
    rows_.erase(p);
    std::set<section_id>& said = ending_[p];
    said.insert(from);
    if (said.size() == sections_) ending_.erase(p);
    return is_first;
}

std::uint32_t claims::awake() const noexcept {
    const auto n = std::count_if(rows_.begin(), rows_.end(), [](const auto& row) { return !row.second.asleep; });
    return static_cast<std::uint32_t>(n);
}

}  // namespace parley::inline v0::broker
