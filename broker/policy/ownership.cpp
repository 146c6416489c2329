#include <broker/policy/ownership.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {

ownership::ownership(std::vector<section_id> owner, std::vector<std::uint32_t> distance) : owner_(std::move(owner)) {
    for (core_id c = 0; c < owner_.size(); ++c) {
        if (owner_[c] >= cores_of_.size()) cores_of_.resize(owner_[c] + std::size_t{1});
        cores_of_[owner_[c]].push_back(c);
    }
    const std::uint32_t n = sections();
    const auto far = [&](section_id a, section_id b) {
        if (distance.size() == std::size_t{n} * n) return distance[std::size_t{a} * n + b];
        return a < b ? b - a : a - b;
    };
    others_.resize(n);
    for (section_id s = 0; s < n; ++s) {
        for (section_id o = 0; o < n; ++o)
            if (o != s) others_[s].push_back(o);
        std::stable_sort(others_[s].begin(), others_[s].end(),
                         [&](section_id a, section_id b) { return far(s, a) < far(s, b); });
    }
}

std::optional<std::string> ownership::fault(std::span<const section_id> owner) {
    if (owner.empty()) return "there is no core";
    std::vector<std::uint32_t> count;
    for (const section_id s : owner) {
        if (s >= owner.size()) return "there are more sections than cores: " + std::to_string(s);
        if (s >= count.size()) count.resize(s + std::size_t{1}, 0);
        ++count[s];
    }
    if (owner.size() == 1) return std::nullopt;
    for (std::size_t s = 0; s < count.size(); ++s)
        if (count[s] < 2) return "section " + std::to_string(s) + " has " + (count[s] == 0 ? "no core" : "one core only");
    return std::nullopt;
}

ownership equal_sections(std::uint32_t cores, std::uint32_t sections) {
    std::vector<section_id> owner(cores);
    for (core_id c = 0; c < cores; ++c) owner[c] = static_cast<section_id>(std::uint64_t{c} * sections / cores);
    return ownership(std::move(owner));
}

}  // namespace parley::inline v0::broker
