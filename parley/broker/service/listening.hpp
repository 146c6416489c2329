// The socket at which the broker listens.
#pragma once

#include <parley/broker/descriptor.hpp>

#include <string>
#include <sys/types.h>

namespace parley::inline v0::broker::service {

class listening_socket {
public:
    // Makes it, and its directory; takes over from a broker that has died. `for_all`: for all users. Throws `trouble`.
    listening_socket(const std::string& path, bool for_all);
    listening_socket(const listening_socket&) = delete;
    listening_socket& operator=(const listening_socket&) = delete;
    // Removes the file, if it is still this one's.
    ~listening_socket();

    [[nodiscard]] descriptor take() noexcept { return std::move(socket_); }

private:
    void make_directory(bool for_all) const;
    void bind_it(bool for_all);
    // Throws, if there is a broker. Else removes what one has left.
    void remove_stale() const;

    std::string path_;
    descriptor socket_;
    dev_t device_ = 0;
    ino_t file_ = 0;
};

}  // namespace parley::inline v0::broker::service
