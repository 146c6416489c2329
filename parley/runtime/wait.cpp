#include <parley/runtime/wait.hpp>

#include <parley/runtime/wait_loop.hpp>

namespace parley::inline v0::threading {

void wait(worker& self, protocol::standing where, bool (*done)(const void*), const void* context) {
    wait_loop(self, where, [done, context] { return done(context); });
}

}  // namespace parley::inline v0::threading
