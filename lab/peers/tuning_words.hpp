// The words of --tuning: what may be chosen of Parley that users need not choose (parley/detail/policy/tuning.hpp), and of
// the papers' machine (lab/papers/circulating.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace parley_peers {

// A choice: one of some words, or a whole number.
struct tuning_key {
    std::string_view name;
    std::span<const std::string_view> words;
    std::uint32_t low = 0, high = 0;
    bool on_parley = true, on_papers = true;  // which of the two machines has it
};

// What was chosen, by names of keys.
using tuning_choices = std::map<std::string, std::string>;

namespace tuning_words {
inline constexpr std::array<std::string_view, 3> steal{"one", "half", "adaptive"};
inline constexpr std::array<std::string_view, 3> split{"half", "guided", "adaptive"};
inline constexpr std::array<std::string_view, 5> victim{"random", "last", "last-thief", "richest", "nearest"};
inline constexpr std::array<std::string_view, 2> failed{"rest", "backoff"};
inline constexpr std::array<std::string_view, 2> answers{"paced", "at-once"};
inline constexpr std::array<std::string_view, 2> dry{"open", "closed"};
inline constexpr std::array<std::string_view, 1> watchdog{"every-request"};
inline constexpr std::array<std::string_view, 3> termination{"manager", "dedicated", "counter"};
inline constexpr std::array<std::string_view, 2> revoke{"any", "own"};
inline constexpr std::array<std::string_view, 2> refuse{"forward", "acknowledge"};
}  // namespace tuning_words

inline constexpr std::array<tuning_key, 15> tuning_keys{{
    {"steal", tuning_words::steal},
    {"split", tuning_words::split},
    {"victim", tuning_words::victim},
    {"early", {}, 0, 1000},
    {"requests", {}, 1, 2, true, false},
    {"failed", tuning_words::failed, 0, 0, true, false},
    {"patience", {}, 1, 1'000'000, true, false},
    {"answers", tuning_words::answers, 0, 0, true, false},
    {"dry", tuning_words::dry, 0, 0, true, false},
    {"watchdog", tuning_words::watchdog, 0, 0, true, false},
    {"termination", tuning_words::termination, 0, 0, false, true},
    {"revoke", tuning_words::revoke, 0, 0, false, true},
    {"refuse", tuning_words::refuse, 0, 0, false, true},
    {"continue", {}, 0, 1, false, true},
    {"hijack", {}, 0, 1, false, true},
}};

// Null if there is none of that name.
[[nodiscard]] constexpr const tuning_key* find_tuning_key(std::string_view name) noexcept {
    const auto found =
        std::find_if(tuning_keys.begin(), tuning_keys.end(), [&](const tuning_key& k) { return k.name == name; });
    return found == tuning_keys.end() ? nullptr : &*found;
}

// Whether a scheduler of that name has the key: Parley with our machine, whatever its futures and splits, or the papers'.
[[nodiscard]] constexpr bool has_tuning(std::string_view scheduler, const tuning_key& key) noexcept {
    if (scheduler == "parley-papers") return key.on_papers;
    return key.on_parley && (scheduler == "parley" || scheduler.starts_with("parley-"));
}

// Of the choices, those that the scheduler has.
[[nodiscard]] inline tuning_choices tuning_of(std::string_view scheduler, const tuning_choices& all) {
    tuning_choices own;
    for (const auto& [name, value] : all) {
        if (const tuning_key* const key = find_tuning_key(name); key != nullptr && has_tuning(scheduler, *key)) {
            own.emplace(name, value);
        }
    }
    return own;
}

}  // namespace parley_peers
