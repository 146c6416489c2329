// Tells when a socket appears, without looking again and again.
#pragma once

#include <broker/client/descriptor.hpp>

#include <string>

namespace parley::inline v0::broker {

[[nodiscard]] bool exists(const std::string& path);

class socket_watch {
public:
    explicit socket_watch(std::string path);  // absolute

    // Watches the socket's folder, or while there is none the nearest one above it. To be called before the socket is
    // looked for: what appears from here on is told.
    void arm();

    void disarm();

    // False where the system has no watch to give or does not allow it: who waits must look now and then.
    [[nodiscard]] bool is_armed() const noexcept { return watched_ >= 0; }

    // Can be read when something has happened in that folder; -1 if it is not armed.
    [[nodiscard]] int events() const noexcept { return is_armed() ? events_.get() : -1; }

    // Takes what has happened. True if the socket, or the next folder on the way to it, may have come.
    [[nodiscard]] bool read_events();

private:
    [[nodiscard]] std::string watch_deepest();

    std::string path_;
    descriptor events_;
    int watched_ = -1;
    std::string awaited_;  // the name that has to appear in the folder
};

}  // namespace parley::inline v0::broker
