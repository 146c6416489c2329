/// @file
/// What goes wrong between ranks.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace parley::inline v0::cluster {

/// What Parley throws between ranks, beside parley::usage_error and parley::cancelled.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Bytes that no rank of this version has written.
struct malformed : error {
    using error::error;
};

/// The ranks do not run the same program with the same options.
struct disagreement : error {
    using error::error;
};

/// Tasks threw; every rank throws this once all others are done. The text is that of the lowest rank's first one.
struct task_failed : error {
    /// For Parley: so many have failed, the first of them with this text.
    task_failed(std::uint64_t how_many, const std::string& first)
        : error("parley: " + std::to_string(how_many) + (how_many == 1 ? " task" : " tasks") +
                " failed; the first: " + first),
          count(how_many) {}
    std::uint64_t count;  ///< How many tasks threw, on all ranks.
};

/// Results have got lost or have come twice: an error of Parley's.
struct wrong_count : error {
    using error::error;
};

}  // namespace parley::inline v0::cluster
