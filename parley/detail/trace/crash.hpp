// Timelines are written, too, when the process dies of a fault or of abort(), or is ended by a signal that it does not
// handle.
#pragma once

namespace parley::inline v0::trace {

// From here on. What was installed for faults and abort() before is called afterwards. SIGHUP, SIGINT, SIGQUIT and SIGTERM
// are handled only where they would end the process, and they do so afterwards; whoever handles them itself, before or
// from later on, is alone with them. Any number of calls.
void write_when_crashing();

// A stack for the handler on the calling thread, unless it has one: that of the thread may be what has run out.
void prepare_to_crash();

}  // namespace parley::inline v0::trace
