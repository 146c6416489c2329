#include <parley/detail/sync/biased_lock.hpp>

#include <parley/detail/base/contract.hpp>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parley::inline v0::sync {

namespace {
bool membarrier(int command) noexcept { return syscall(SYS_membarrier, command, 0, 0) == 0; }
}  // namespace

bool have_barrier_in_all_threads() noexcept {
    return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

// After the preparation this fails only if the process has forbidden itself the call (seccomp). Then nothing would be
// right any more.
void barrier_in_all_threads() noexcept {
    if (!membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED))
        base::contract_failed("membarrier(2) was allowed when the runtime began, and is not any more", __FILE__, __LINE__);
}

}  // namespace parley::inline v0::sync
