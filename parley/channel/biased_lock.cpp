#include <parley/channel/biased_lock.hpp>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parley::inline v0::channel {

namespace {
bool membarrier(int command) noexcept { return syscall(SYS_membarrier, command, 0, 0) == 0; }
}  // namespace

bool have_barrier_in_all_threads() noexcept {
    return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

// It cannot fail once it has been prepared.
void barrier_in_all_threads() noexcept { (void)membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED); }

}  // namespace parley::inline v0::channel
