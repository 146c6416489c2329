/// @file
/// What Parley throws on its own account. Exceptions of tasks arrive unchanged.
#pragma once

#include <parley/version.hpp>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace parley::inline v0 {

/// The work was cancelled (runtime::cancel, a stop token, the failure of a sibling). Leaves tasks at
/// their next fork, spawn, loop block or poll.
struct cancelled : std::exception {
    /// "parley: cancelled".
    [[nodiscard]] const char* what() const noexcept override { return "parley: cancelled"; }
};

/// A call that makes no sense where it was made: barrier() in a child task, 0 workers, get() twice.
struct usage_error : std::logic_error {
    /// With a text.
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
