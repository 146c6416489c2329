// Which machine a build has: what each worker of a runtime is in the protocol. The library's is that of worker.hpp. The
// laboratory compiles the library's sources once more, where PARLEY_MACHINE names a header with another machine that has all
// of the following names (lab/papers/machine.hpp), and links both.
#pragma once

#ifdef PARLEY_MACHINE
#include PARLEY_MACHINE
#else

#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <cstdint>

namespace parley::inline v0::protocol {

template <class Victims, class Stealing, class Requesting>
using machine = worker<Victims, Stealing, Requesting>;

// Do requests go round until they are answered? Here they rest.
inline constexpr bool requests_circulate = false;

// What may be chosen of it beside what every machine has: nothing.
struct machine_choices {
    friend bool operator==(const machine_choices&, const machine_choices&) = default;
};
// Changes what follows from its choices. Throws usage_error for what cannot be chosen together.
template <class Setting>
void settle_machine(Setting&) noexcept {}

template <class Victims, class Stealing, class Requesting>
machine<Victims, Stealing, Requesting> machine_with(worker_id self, std::uint32_t workers, std::uint64_t seed, Stealing stealing,
                                                    Victims victims, Requesting requesting, machine_choices) {
    return {self, workers, seed, stealing, victims, requesting};
}

// What it keeps for itself in each worker and in each runtime, and asks of threads beside medium.hpp: nothing.
template <class Task, class Mailbox>
struct part_of_worker {};
template <class Task>
struct part_of_runtime {};
template <class Medium>
class part_of_medium {
public:
    // Of what has come through a task channel.
    template <class Task>
    static constexpr bool has_come(const Task*) noexcept {
        return true;
    }
};

}  // namespace parley::inline v0::protocol

#endif
