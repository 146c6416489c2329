// The papers' machine in the place of the library's (parley/detail/protocol/machine.hpp). What sits in a runtime for a while
// without being one of its workers (runtime/seats.cpp) is nobody's victim, and has the library's machine here, too.
#pragma once

#include <lab/papers/circulating.hpp>
#include <lab/papers/circulating_worker.hpp>
#include <lab/papers/either_worker.hpp>
#include <lab/papers/settled.hpp>
#include <lab/papers/threads.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <cstdint>

namespace parley::inline v0::protocol {

template <class Victims, class Stealing, class Requesting>
using machine = either_worker<worker<Victims, Stealing, Requesting>, circulating_worker<Victims, Stealing>>;

template <class Setting>
void settle_machine(Setting& s) {
    require_papers_way(s.how, s.chosen.workers, s.how.machine);
    s.how.failed = decltype(s.how.failed)::backoff;
    s.chosen.watchdog = decltype(s.chosen.watchdog)::off;  // whoever waits does not sleep, and asks nobody to look
    s.how.interrupts_for_every_request = false;
}

template <class Victims, class Stealing, class Requesting>
machine<Victims, Stealing, Requesting> machine_with(worker_id self, std::uint32_t workers, std::uint64_t seed,
                                                    Stealing stealing, Victims victims, Requesting, const circulating& how) {
    using result = machine<Victims, Stealing, Requesting>;
    return result(circulating_worker<Victims, Stealing>(self, workers, seed, stealing, victims, how));
}

}  // namespace parley::inline v0::protocol
