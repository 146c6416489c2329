// Where a broker is: the same for all verbs that speak to one, or are one.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace parley_cli {

// --socket; what is no path of a socket is refused.
void add_socket_option(CLI::App& app, std::string& given);

// What --socket says; where that is empty, what PARLEY_BROKER says, else the user's own; none: PARLEY_BROKER is off.
// Throws parley::environment_error for a bad PARLEY_BROKER whatever --socket says.
[[nodiscard]] std::optional<std::string> chosen_socket(const std::string& given);

// The same, for who cannot do without. Throws usage_error, in the name of the command.
[[nodiscard]] std::string needed_socket(const std::string& command, const std::string& given);

}  // namespace parley_cli
