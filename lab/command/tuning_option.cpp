#include "lab/command/tuning_option.hpp"

#include <fmt/format.h>
#include <parley/detail/base/environment.hpp>
#include <parley/detail/policy/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

using parley_peers::tuning_key;
using parley_peers::tuning_keys;

std::vector<std::string> words_of(const tuning_key& key) { return {key.words.begin(), key.words.end()}; }

std::string allowed_values(const tuning_key& key) {
    return key.words.empty() ? fmt::format("a whole number from {} to {}", key.low, key.high) : join(words_of(key));
}

bool allows(const tuning_key& key, std::string_view value) {
    if (!key.words.empty()) {
        return std::find(key.words.begin(), key.words.end(), value) != key.words.end();
    }
    const auto number = whole_number(value);
    return number && key.low <= *number && *number <= key.high;
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const tuning_key& key : tuning_keys) {
        all.emplace_back(key.name);
    }
    return all;
}

// Whose key it is.
std::string takers_of(const tuning_key& key) {
    return !key.on_papers ? "parley" : !key.on_parley ? "parley-papers" : "parley and parley-papers";
}

}  // namespace

void read_tuning(std::string_view where, std::string_view text, parley_peers::tuning_choices& into) {
    while (true) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view choice = text.substr(0, comma);
        const std::size_t sign = std::min(choice.find('='), choice.size());
        const std::string_view name = choice.substr(0, sign);
        const tuning_key* const key = parley_peers::find_tuning_key(name);
        if (key == nullptr) {
            throw usage_error(fmt::format("{}: --tuning: {} is not allowed; allowed, as steal=half,early=2: {}{}", where,
                                          shown(name), join(names()), suggestion(name, names())));
        }
        const std::string_view value = choice.substr(std::min(sign + 1, choice.size()));
        if (!allows(*key, value)) {
            throw usage_error(fmt::format("{}: --tuning {}: {} is not allowed; allowed: {}{}", where, name, shown(value),
                                          allowed_values(*key), suggestion(value, words_of(*key))));
        }
        into.insert_or_assign(std::string(name), std::string(value));
        if (comma == text.size()) {
            return;
        }
        text.remove_prefix(comma + 1);
    }
}

void require_taken(std::string_view where, const parley_peers::tuning_choices& choices,
                   std::span<const std::string> schedulers) {
    for (const auto& [name, value] : choices) {
        const tuning_key& key = *parley_peers::find_tuning_key(name);
        const bool is_taken = std::any_of(schedulers.begin(), schedulers.end(),
                                          [&](const std::string& s) { return parley_peers::has_tuning(s, key); });
        if (!is_taken) {
            throw usage_error(fmt::format("{}: --tuning {} is for --scheduler {}, not {}", where, name, takers_of(key),
                                          join({schedulers.begin(), schedulers.end()})));
        }
    }
}

void heed_environment(parley_peers::tuning_choices& choices, std::span<const std::string> schedulers) {
    (void)parley::threading::tuning_from_environment();  // complains of words that there are not
    for (const auto& [variable, name] :
         {std::pair{"PARLEY_STEAL", "steal"}, {"PARLEY_SPLIT", "split"}, {"PARLEY_VICTIM", "victim"}}) {
        const char* const value = parley::base::environment_variable(variable);
        if (value == nullptr || *value == '\0') continue;
        const tuning_key& key = *parley_peers::find_tuning_key(name);
        if (std::any_of(schedulers.begin(), schedulers.end(),
                        [&](const std::string& s) { return parley_peers::has_tuning(s, key); }))
            choices.try_emplace(name, value);
    }
}

std::string tuning_help() {
    std::string text = "how the workers of parley and parley-papers ask each other, with commas: ";
    for (const tuning_key& key : tuning_keys) {
        text += fmt::format("{}{} ({}{})", &key == &tuning_keys.front() ? "" : "; ", key.name, allowed_values(key),
                            key.on_parley && key.on_papers ? "" : ", " + takers_of(key) + " only");
    }
    return text;
}

}  // namespace parley_cli
