// Which graphs are executions: RC11 (Lahav, Vafeiadis, Kang, Hur & Dreyer, "Repairing Sequential Consistency in C/C++11",
// PLDI 2017), with the release sequences of C++20, which a thread's own later plain stores do not continue.
#pragma once

#include <lab/memory/graph.hpp>

namespace parley::memory {

// The graph was consistent before `newest` was added, and nothing comes after that event by program order or reads-from.
// Coherence and atomicity decided where it may be (graph.hpp). Is there still an order of all seq_cst events (psc of RC11
// has no cycle)?
[[nodiscard]] bool stays_consistent(const graph& g, event_id newest);

}  // namespace parley::memory
