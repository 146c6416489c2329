// The machine that is shared: its cores, and the sections that own them. A core is a logical processor here, what the
// system gives a number and a thread can be bound to.
#pragma once

#include <broker/policy/ownership.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::inline v0::broker::service {

struct machine_options {
    // A file of hwloc's XML, or "synthetic:" and hwloc's description of a machine: one that is not here, for tests and
    // demonstrations. Empty: this machine, as far as this process may use it.
    std::string topology = {};
    // "0-11,12-23": cores, by the system's numbers, one section after the other; parts of a section are joined by +.
    // "caches": one for each third-level cache, else for each memory node, else for each package, as in BI §2.5. Empty: one
    // for the whole machine, which decides everything itself and sends no messages to others.
    std::string sections = {};
};

struct machine {
    std::vector<std::uint32_t> number;  // of each core, the system's
    std::shared_ptr<const ownership> table;

    // None, if it is not one of the broker's.
    [[nodiscard]] std::optional<core_id> core_of(std::uint32_t system_number) const;
};

// Throws `startup_error`.
[[nodiscard]] machine look_at_machine(const machine_options& = {});

}  // namespace parley::inline v0::broker::service
