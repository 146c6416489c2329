// Where brokers listen and programs look for them.
#pragma once

#include <optional>
#include <string>

namespace parley::inline v0::broker {

// Of root /run/parley/broker.sock, for all users; of others $XDG_RUNTIME_DIR/parley/broker.sock, or
// /tmp/parley-UID/broker.sock where that is not set.
[[nodiscard]] std::string default_socket_path();

// Where a program asks: PARLEY_BROKER if it is set, else the default. None, if it is `off`.
[[nodiscard]] std::optional<std::string> socket_path_to_ask();

}  // namespace parley::inline v0::broker
