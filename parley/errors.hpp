/// @file
/// Exceptions that Parley itself throws. Exceptions of tasks arrive unchanged.
#pragma once

#include <parley/version.hpp>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace parley::inline v0 {

/// The work was cancelled: by runtime::cancel, a stop token, or the failure of a sibling. Tasks throw it at their next
/// fork, spawn, loop block or poll.
struct cancelled : std::exception {
    /// Returns "parley: cancelled".
    [[nodiscard]] const char* what() const noexcept override { return "parley: cancelled"; }
};

/// A call was not allowed where it was made, e.g. barrier() in a child task, 0 workers, or get() twice.
struct usage_error : std::logic_error {
    /// Takes a text.
    using std::logic_error::logic_error;
};

/// A PARLEY_* environment variable has a value that is not allowed.
struct environment_error : std::runtime_error {
    /// The text is `name=value: allowed`.
    environment_error(std::string name, const std::string& value, const std::string& allowed)
        : std::runtime_error(name + "=" + value + ": " + allowed), variable(std::move(name)) {}
    std::string variable;  ///< Its name, as "PARLEY_WORKERS".
};

}  // namespace parley::inline v0
