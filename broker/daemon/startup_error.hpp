// Why the service cannot begin: one line, for people.
#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace parley::inline v0::broker::service {

struct startup_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// As the last call that failed has it.
[[nodiscard]] inline std::string system_says() { return std::strerror(errno); }

}  // namespace parley::inline v0::broker::service
