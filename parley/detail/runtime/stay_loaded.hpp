// A shared object that contains this library, as a plug-in, stays where it is once a runtime has been made.
#pragma once

namespace parley::inline v0::threading {

// From here on dlclose() does not unload the code that a default runtime's threads run, and that the watchdog's signal, the
// end of a thread and fork() call. A later dlopen() finds the shared object as it was.
// Any number of calls.
void stay_loaded() noexcept;

}  // namespace parley::inline v0::threading
