#include <broker/client/not_for_children.hpp>

#include <parley/detail/sync/counter.hpp>

#include <array>
#include <cstddef>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

namespace parley::inline v0::broker {

namespace {

// A program has one client, hardly ever several. Sockets of more stay open in children.
constexpr int most = 16;

// Each holds a socket + 1; 0: free. A child looks at them without lock: whatever thread had it is not there any more.
std::array<sync::hint<int>, most>& sockets() {
    static std::array<sync::hint<int>, most> all;
    return all;
}

std::mutex& places() {
    static std::mutex mutex;
    return mutex;
}

void close_in_child() {
    for (auto& socket : sockets()) {
        if (socket.get() != 0) close(socket.get() - 1);
        socket.set(0);
    }
}

}  // namespace

not_for_children::not_for_children(int socket) : place_(0) {
    [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, &close_in_child);
    // In a child nobody may be there to unlock it.
    const std::unique_lock lock(places(), std::try_to_lock);
    if (!lock) place_ = most;
    while (place_ < most && sockets()[static_cast<std::size_t>(place_)].get() != 0) ++place_;
    if (place_ < most) sockets()[static_cast<std::size_t>(place_)].set(socket + 1);
}

// Before the socket is closed: its number may be another file's at once.
not_for_children::~not_for_children() {
    if (place_ < most) sockets()[static_cast<std::size_t>(place_)].set(0);
}

}  // namespace parley::inline v0::broker
