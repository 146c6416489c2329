// Executions as a reader wants them.
#pragma once

#include <lab/memory/graph.hpp>

#include <string>

namespace parley::memory {

// A line for each event, in an order in which each write comes before those that read it.
[[nodiscard]] std::string text_of(const graph& g);

}  // namespace parley::memory
