// Where broker and programs meet if nobody says otherwise.
#pragma once

#include <string>

namespace parley::inline v0::broker {

// Root's broker, for all users: /run/parley/broker.sock. Anybody else's: $XDG_RUNTIME_DIR/parley/broker.sock, or
// without that variable /tmp/parley-UID/broker.sock.
[[nodiscard]] std::string default_socket_path();

}  // namespace parley::inline v0::broker
