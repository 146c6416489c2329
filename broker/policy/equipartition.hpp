// Fair shares of the cores: dynamic equi-partition with weights. Everybody gets one core first; then the next core
// goes to whoever has least for its weight, unless it has what it desires or its user has what it may have. So small
// desires are satisfied and the large ones share the rest by weight. Programs that may use the same few cores only have
// no more than these together: what they share counts once.
#pragma once

#include <broker/policy/ids.hpp>
#include <broker/policy/usable_cores.hpp>

#include <cstdint>
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
    usable_cores usable = {};
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

// How many cores programs take. Sets that overlap count as if they did not.
class taken_cores {
public:
    explicit taken_cores(std::uint32_t of_machine) : of_machine_(of_machine) {}
    // One more, of a program that may use these. False: those that may use the same have all of them, and share.
    bool take(const usable_cores&);
    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }

private:
    std::uint32_t of_machine_;
    std::uint32_t count_ = 0;
    std::map<std::vector<std::uint64_t>, std::uint32_t> of_group_;  // that may use the same, but not all
};

// Shares in the order of the claims, each >= 1 and <= its desire. Where nobody has to share, their sum is <= cores.
// Where cores are too few (of the machine, of a user, of those that some programs may use) each still gets 1, which it
// shares. The same claims in any order give the same shares.
[[nodiscard]] std::vector<std::uint32_t> equipartition(std::span<const share_claim>, std::uint32_t cores,
                                                       const user_caps& = {});

}  // namespace parley::inline v0::broker
