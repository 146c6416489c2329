// Timelines are written, too, when the process dies of a fault or of abort().
#pragma once

namespace parley::inline v0::trace {

// From here on. What was installed for those signals before is called afterwards. Any number of calls.
void write_when_crashing();

// A stack for the handler on the calling thread, unless it has one: that of the thread may be what has run out.
void prepare_to_crash();

}  // namespace parley::inline v0::trace
