// What each program asks for, as far as others must know it to compute fair shares: the other half of what sections
// share by DELTA. A row is written by the program's leader alone. Leaders change, and what two of them sent may arrive
// in any order: the higher version counts.
#pragma once

#include <broker/policy/classes.hpp>
#include <broker/policy/ids.hpp>
#include <broker/policy/usable_cores.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace parley::inline v0::broker {

struct claim {
    program_id program = 0;
    user_id user = 0;
    std::uint32_t weight = 1;
    std::uint32_t most = unlimited;  // workers that it can have
    std::uint32_t desire = 1;
    program_class judged = program_class::satisfied;
    std::uint64_t version = 0;
    usable_cores usable = {};
    bool asleep = false;  // its process has not run for a while
    friend bool operator==(const claim&, const claim&) = default;
};

class claims {
public:
    explicit claims(std::uint32_t sections) : sections_(sections) {}

    // Returns whether the program was unknown so far.
    bool apply(const claim&);
    // `from` says nothing more about it, since it has ended. Returns whether this is the first time that anybody said
    // so: then this section says so, too. When all have, nothing about it can be on its way, and it is forgotten.
    bool end(program_id, section_id from);

    [[nodiscard]] bool is_ending(program_id p) const { return ending_.contains(p); }
    [[nodiscard]] const claim* find(program_id p) const {
        const auto found = rows_.find(p);
        return found == rows_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const std::map<program_id, claim>& rows() const noexcept { return rows_; }
    [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(rows_.size()); }
    [[nodiscard]] std::uint32_t awake() const noexcept { return awake_; }
    // Ended programs that are not forgotten yet.
    [[nodiscard]] std::size_t ending() const noexcept { return ending_.size(); }

private:
    std::uint32_t sections_;
    std::map<program_id, claim> rows_;
    std::uint32_t awake_ = 0;
    std::map<program_id, std::set<section_id>> ending_;  // who has said so
};

}  // namespace parley::inline v0::broker
