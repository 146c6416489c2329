// Timelines are also written when the process dies of a fault or of abort(), or is ended by a signal that it does not
// handle.
#pragma once

namespace parley::inline v0::trace {

// Installs the handlers. Earlier handlers for faults and abort() are called afterwards. SIGHUP, SIGINT, SIGQUIT and
// SIGTERM are handled only where they would end the process, and do so afterwards. A program's own handlers for these,
// from before or later, are left alone. It may be called any number of times.
void write_when_crashing();

// Gives the calling thread a stack for the handler unless it has one, because its own stack may be what has run out.
void prepare_to_crash();

}  // namespace parley::inline v0::trace
