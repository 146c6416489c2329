// The socket at which the broker listens.
//
// Its folder may belong to another account, which can replace everything in it at any moment, and the folder itself. So
// the folder is opened once and nothing is done by path afterwards: what is named in it is looked at without following
// a link, and the socket has its mode from bind() on.
#pragma once

#include <broker/client/descriptor.hpp>

#include <string>
#include <sys/types.h>
#include <utility>

namespace parley::inline v0::broker::service {

class listening_socket {
public:
    // Makes it, and its directory; takes over from a broker that has died. `for_all`: for all users. Throws `startup_error`.
    listening_socket(const std::string& path, bool for_all);
    listening_socket(const listening_socket&) = delete;
    listening_socket& operator=(const listening_socket&) = delete;
    // Removes the file, if it is still this one's.
    ~listening_socket();

    [[nodiscard]] descriptor take() noexcept { return std::move(socket_); }

private:
    [[nodiscard]] descriptor lock() const;
    void bind_it(mode_t mode);
    // Throws, if there is a broker. Else removes what one has left.
    void remove_stale() const;

    std::string path_, name_;  // name_: in the folder
    descriptor folder_, socket_;
    dev_t device_ = 0;
    ino_t file_ = 0;
};

}  // namespace parley::inline v0::broker::service
