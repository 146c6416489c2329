// Threads that hardly ever run, but then at once.
#pragma once

namespace parley::inline v0::broker {

// Asks the system for short slices for the calling thread: when it wakes up it does not wait until a worker beside it
// has used its own. Linux 6.12 and later follow; others do not, and nothing else changes.
void use_realtime_priority() noexcept;

}  // namespace parley::inline v0::broker
