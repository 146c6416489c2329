// All executions of a scene, each once: TruSt (Kokologiannakis, Marmanis, Gladstein & Vafeiadis, "Truly Stateless, Optimal
// Dynamic Partial Order Reduction", POPL 2022).
//
// An execution graph grows event by event. A read tries every write that is there. A write tries every place in
// modification order; besides, each read that is there already, and does not precede it, may read it instead. Then what
// was added after that read goes, but for what the write depends on. Of all the graphs from which the same one would
// follow in this way, one is chosen: that in which everything that goes was added in the latest place.
#pragma once

#include <lab/memory/graph.hpp>
#include <lab/memory/machine.hpp>
#include <lab/memory/scene.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parley::memory {

class orders_met;

struct search_limits {
    std::uint32_t steps = 500;     // events of an execution
    std::uint64_t executions = 0;  // 0: any number
    orders_met* notes = nullptr;   // of the operations in all executions
};

struct search_result {
    std::uint64_t executions = 0;  // of which all threads came to their end
    std::uint64_t waiting = 0;     // graphs in which a look found nothing; another one has a look that finds something
    std::uint64_t impossible = 0;  // graphs with a read-modify-write that has no place any more
    std::map<std::string, std::uint64_t> outcomes;
    std::optional<std::string> found;  // what is wrong, and the execution
    bool is_complete = false;          // all executions were seen
    bool is_endless = false;           // an execution has more than the bound on steps
};

[[nodiscard]] search_result search(machine& threads, const scene& s, const search_limits& limits);

}  // namespace parley::memory
