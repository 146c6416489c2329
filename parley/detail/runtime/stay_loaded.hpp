// Keeps a shared object that contains this library, such as a plug-in, loaded once a runtime has been made.
#pragma once

namespace parley::inline v0::threading {

// From the first call on, dlclose() does not unload the library's code. Threads of the default runtime, the watchdog's
// signal, the end of a thread and fork() may still call it. A later dlopen() finds the shared object as it was. May be
// called any number of times.
void stay_loaded() noexcept;

}  // namespace parley::inline v0::threading
