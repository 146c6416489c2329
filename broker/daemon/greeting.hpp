// What a connection's first packet says. It comes from anybody: each field is checked.
#pragma once

#include <broker/client/packets.hpp>
#include <broker/daemon/machine.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <variant>

namespace parley::inline v0::broker::service {

// One byte more than any packet that may come: a longer one is known as such.
using receive_buffer = std::array<std::byte, sizeof(hello) + 1>;

// A hello whose fields are allowed, an observe, or one line on why it is neither. `size`: of the packet, which may be
// longer than what was received of it.
[[nodiscard]] std::variant<hello, observe, std::string> read_greeting(std::span<const std::byte> received, std::size_t size,
                                                                      const machine&);

}  // namespace parley::inline v0::broker::service
