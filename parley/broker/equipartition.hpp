// Fair shares of the cores: dynamic equi-partition with weights. Everybody gets one core first; then the next core
// goes to whoever has least for its weight, unless it has what it desires or its user has what it may have. So small
// desires are satisfied and the large ones share the rest by weight.
#pragma once

#include <parley/broker/names.hpp>

#include <map>
#include <span>
#include <vector>

namespace parley::inline v0::broker {

struct share_claim {
    program_id program = 0;
    user_id user = 0;
    std::uint32_t weight = 1;  // >= 1
    std::uint32_t desire = 1;  // >= 1
    std::uint32_t held = 0;    // of equals, who holds the core already gets it: fewest moves
};

struct user_caps {
    std::uint32_t each = unlimited;            // cores that one user may have
    std::map<user_id, std::uint32_t> of = {};  // exceptions
    [[nodiscard]] std::uint32_t cap(user_id u) const {
        const auto found = of.find(u);
        return found == of.end() ? each : found->second;
    }
    friend bool operator==(const user_caps&, const user_caps&) = default;
};

// Shares in the order of the claims. With as many cores as programs or more: their sum is <= cores, each is >= 1 and
// <= its desire. With fewer cores (of the machine, or of a user) each still gets 1, which it shares. The same claims
// in any order give the same shares.
[[nodiscard]] std::vector<std::uint32_t> equipartition(std::span<const share_claim>, std::uint32_t cores,
                                                       const user_caps& = {});

}  // namespace parley::inline v0::broker
