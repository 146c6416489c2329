// The end of a process whose default runtime has tasks that nobody awaits.
//
// Tasks of spawn() are run before the process ends by a return from main(), or by exit() on the thread of main()
// outside of tasks. A process that ends otherwise does not wait. If a task called exit(), it would wait for itself. If
// another thread calls exit(), it means to end main(), too.
//
// The wait comes before static objects are destroyed, if it can: when the variables of main()'s thread are destroyed
// (wait_with_main()).
#pragma once

namespace parley::inline v0::threading {

class pool;

// Called by exit().
void process_ends(pool& home) noexcept;
// Called by each thread that comes in. If it is the thread of main(), it will wait before its thread-local variables
// are destroyed.
void wait_with_main(pool& home) noexcept;

}  // namespace parley::inline v0::threading
