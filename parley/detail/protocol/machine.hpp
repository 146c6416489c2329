// This header says which machine a build has: the type that a worker is in the protocol. The library's machine is
// worker.hpp. The laboratory compiles the library's sources once more with another one, and links both. It defines
// PARLEY_MACHINE as a header that has all names below (lab/papers/machine.hpp). It defines PARLEY_MACHINE_PARTS as one
// that has the names of machine_parts.hpp.
#pragma once

#include <parley/detail/protocol/machine_parts.hpp>

#ifdef PARLEY_MACHINE
#include PARLEY_MACHINE
#else

#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <cstdint>

namespace parley::inline v0::protocol {

template <class Victims, class Stealing, class Requesting>
using machine = worker<Victims, Stealing, Requesting>;

// Changes those settings that follow from the machine's choices. Throws usage_error if choices exclude each other.
template <class Setting>
void settle_machine(Setting&) noexcept {}

template <class Victims, class Stealing, class Requesting>
machine<Victims, Stealing, Requesting> machine_with(worker_id self, std::uint32_t workers, std::uint64_t seed,
                                                    Stealing stealing, Victims victims, Requesting requesting,
                                                    machine_choices) {
    return {self, workers, seed, stealing, victims, requesting};
}

}  // namespace parley::inline v0::protocol

#endif
