// Closes sockets that may hold descriptors of strangers (unasked.hpp): their close may wait without end.
//
// Another process gets the last descriptor of each socket and ends, and the system closes what a process leaves behind.
// A TCP socket that lingers does not make an ending process wait. A file that does keeps that process waiting and no
// other one: the broker goes on, and can end.
//
// The number of such processes is bounded. The system counts an unread descriptor as its sender's, who may have no more
// of them than open files. Each socket here holds one at least. While n processes wait, the next one takes over 2^n
// sockets, or `most_held` if that is less.
#pragma once

#include <broker/client/descriptor.hpp>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace parley::inline v0::broker::service {

class closing {
public:
    static constexpr std::size_t most_held = 256;

    // Throws `startup_error`.
    closing();
    closing(const closing&) = delete;
    closing& operator=(const closing&) = delete;
    // Hands over what is left, and does not wait for processes that wait.
    ~closing();

    // Any thread. Does not wait.
    void close(descriptor) noexcept;

private:
    void run();
    bool prepare() noexcept;
    // Returns whether a process has them now: none are open here any more then.
    bool hand_over(std::vector<descriptor>& sockets);
    void forget_ended() noexcept;
    [[nodiscard]] bool are_enough() const noexcept;

    // Two ends of a socket, by which this process and the next one tell each other how far they are. They are there
    // before they are needed, since sockets that wait here may be the last ones that the system gives.
    descriptor here_, there_;
    std::mutex mutex_;
    std::condition_variable something_new_;
    std::vector<descriptor> held_;
    bool ends_ = false;
    std::vector<pid_t> processes_;
    std::thread thread_;
};

}  // namespace parley::inline v0::broker::service
