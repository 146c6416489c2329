// Which machine a build has: what each worker of a runtime is in the protocol. The library's is that of worker.hpp. The
// laboratory compiles the library's sources once more, where PARLEY_MACHINE names a header with another machine that has all
// of the following names (lab/papers/machine.hpp), and PARLEY_MACHINE_PARTS one with those of machine_parts.hpp; it links
// both.
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

// Changes what follows from its choices. Throws usage_error for what cannot be chosen together.
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
