// --tuning KEY=VALUE,...: how Parley's workers ask each other, and of the papers' machine what else there is
// (lab/peers/tuning_words.hpp).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lab/peers/tuning_words.hpp"

namespace parley_cli {

// Adds what one --tuning says; of the same key the last one counts. `where` begins a complaint, as "parley run fib". Throws
// usage_error.
void read_tuning(std::string_view where, std::string_view text, parley_peers::tuning_choices& into);

// Throws usage_error if one of the choices is for none of the schedulers.
void require_taken(std::string_view where, const parley_peers::tuning_choices& choices,
                   std::span<const std::string> schedulers);

// Adds what the environment says of keys that the choices do not have and one of the schedulers takes.
void heed_environment(parley_peers::tuning_choices& choices, std::span<const std::string> schedulers);

// For --help.
[[nodiscard]] std::string tuning_help();

}  // namespace parley_cli
