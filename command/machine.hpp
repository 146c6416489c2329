// What this machine is, in words.
#pragma once

#include <string>

namespace parley_cli {

// The processor's name as the kernel gives it, or "unknown processor".
[[nodiscard]] std::string processor_model();

// Processors that the system has online.
[[nodiscard]] unsigned online_processors();

// For results: model, processors, kernel. Nothing that names the machine or its user.
[[nodiscard]] std::string machine_summary();

// How many NUMA nodes are online, 0 if the kernel does not say.
[[nodiscard]] unsigned numa_nodes();

}  // namespace parley_cli
