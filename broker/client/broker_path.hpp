// Which broker a program's user has chosen.
#pragma once

#include <optional>
#include <string>

namespace parley::inline v0::broker {

// `value` is PARLEY_BROKER's, null if it is not set: the default path; "off": none; else a path, which must have a '/'
// and fit a socket's address. Throws environment_error for anything else.
[[nodiscard]] std::optional<std::string> broker_path(const char* value);

// "" if a socket can be there, else what is allowed.
[[nodiscard]] std::string complaint_about_socket(const std::string& path);

}  // namespace parley::inline v0::broker
