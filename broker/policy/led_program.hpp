// What the leader of a program knows of it, and nobody else.
#pragma once

#include <broker/policy/claims.hpp>
#include <broker/policy/desire.hpp>
#include <broker/policy/feedback.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace parley::inline v0::broker {

// How a REQUEST is meant.
enum class terms : std::uint8_t {
    alone,        // a core for the program alone
    shared_with,  // one of a program that the policy chooses, both on it
    any,          // whichever has the fewest holders
    moved,        // that of a program that can get another one for it
    first,        // so, too, or one of a program with several: this one has none for itself
};

// It moves as a whole, by HANDOVER: who has it leads.
struct led_program {
    claim row;
    desire wish;
    program_use last = {};  // quantum
    // What it may run on. Never more than the cores' owners say, wherever deltas are: they add a core before it comes
    // here, and remove it after it has gone from here. In ascending order of cores.
    std::map<core_id, std::uint64_t> cores = {};  // and the stamp of its stay
    // At most one REQUEST is out, and it is always answered; its leader stays leader until then: the answer finds it.
    std::optional<section_id> asked = std::nullopt;
    terms asked_how = terms::alone;
    std::vector<section_id> denied = {};  // since the last quantum began
    std::uint32_t wanted = 0;             // figure 3: cores that it is to get in this quantum
    bool starting = false;                // figure 3: it has not got all that it begins with
    friend bool operator==(const led_program&, const led_program&) = default;

    // What it did with one of its cores; one that it has just got is not judged.
    [[nodiscard]] double efficiency_on(core_id c) const noexcept {
        for (const core_use& use : last.cores)
            if (use.core == c && use.held > 0) return static_cast<double>(use.useful) / static_cast<double>(use.held);
        return 1.0;
    }
    [[nodiscard]] std::uint32_t held() const noexcept { return static_cast<std::uint32_t>(cores.size()); }
    [[nodiscard]] bool was_denied(section_id s) const noexcept {
        return std::find(denied.begin(), denied.end(), s) != denied.end();
    }
};

}  // namespace parley::inline v0::broker
