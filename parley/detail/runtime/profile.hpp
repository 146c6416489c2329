// Notes whether a thread sits on the seat of worker 0. The thread that comes in or goes calls this.
#pragma once

namespace parley::inline v0::threading {

class worker;

void record_visit(worker& self, bool begins) noexcept;

}  // namespace parley::inline v0::threading
