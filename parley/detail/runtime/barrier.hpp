// The root task of a pool waits here until no task is left in the pool. The worker that waits calls this.
#pragma once

#include <parley/detail/driver/states.hpp>

namespace parley::inline v0::threading {

class worker;

// Throws usage_error outside of the root task and inside isolated(). Throws `cancelled`, and what tasks that nobody
// awaits have thrown.
void barrier(worker& self);
void wait_for_all(worker& self, awaited what);

}  // namespace parley::inline v0::threading
