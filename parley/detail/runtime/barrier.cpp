#include <parley/detail/runtime/barrier.hpp>

#include <parley/detail/driver/wait_loop.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/raised.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/thread_host.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/errors.hpp>

namespace parley::inline v0::threading {

void barrier(worker& self) {
    if (!self.at_root())
        throw usage_error(
            "parley: barrier() was called by a child task, or where another thread has worker 0's place; "
            "only the root task of run(), on the thread that called it, may wait for all others");
    if (self.own_part().limits.isolated)
        throw usage_error(
            "parley: barrier() was called inside isolated(); what was made outside it can not be waited for "
            "there");
    wait_for_all(self, awaited::barrier);
    if (self.cancelling()) throw cancelled{};
    self.home().roots().throw_what_was_kept();
}

void wait_for_all(worker& self, awaited what) {
    // In a serial runtime all has been done already, unless threads outside have sent something.
    pool& home = self.home();
    if (home.serial() && home.exchange().jobs_sent.get() == 0) return;
    home.start_threads();  // the manager is one of them
    thread_medium medium(self);
    protocol_worker& machine = machine_of(self);
    home.kept().begin_wanting();
    machine.open_barrier(medium);
    raised released{&self, protocol::bits::released, what};
    wait_loop(thread_host(self), protocol::standing::between_tasks, released);
    while (!machine.close_barrier(medium)) wait_a_moment();
    home.kept().end_wanting();
}

}  // namespace parley::inline v0::threading
