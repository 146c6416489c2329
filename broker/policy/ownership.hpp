// The ownership table [BI §2.5]: which section owns which core. Immutable: every section has the same.
#pragma once

#include <broker/policy/ids.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parley::inline v0::broker {

class ownership {
public:
    // `owner[c]` is core c's section; they are numbered from 0. `distance`, if given, has a row for each section; else
    // sections are as far from each other as their numbers.
    explicit ownership(std::vector<section_id> owner, std::vector<std::uint32_t> distance = {});

    // One line on what is wrong with a partition, if anything: sections are numbered without gap, and have two cores at
    // least, except on a machine with one [BI §2.5].
    [[nodiscard]] static std::optional<std::string> fault(std::span<const section_id> owner);

    [[nodiscard]] std::uint32_t cores() const noexcept { return static_cast<std::uint32_t>(owner_.size()); }
    [[nodiscard]] std::uint32_t sections() const noexcept { return static_cast<std::uint32_t>(cores_of_.size()); }
    // These throw std::out_of_range, if there is no such core or section.
    [[nodiscard]] section_id owner(core_id c) const { return owner_.at(c); }
    // In ascending order.
    [[nodiscard]] std::span<const core_id> cores_of(section_id s) const { return cores_of_.at(s); }
    // The others, nearest first; of equals, the lower number.
    [[nodiscard]] std::span<const section_id> others(section_id s) const { return others_.at(s); }

    friend bool operator==(const ownership&, const ownership&) = default;

private:
    std::vector<section_id> owner_;
    std::vector<std::vector<core_id>> cores_of_;
    std::vector<std::vector<section_id>> others_;
};

// `cores` in `sections` parts, as equal as can be.
[[nodiscard]] ownership equal_sections(std::uint32_t cores, std::uint32_t sections);

}  // namespace parley::inline v0::broker
