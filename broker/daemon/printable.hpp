// Text of others, fit for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace parley::inline v0::broker::service {

// What is valid UTF-8 stays; each byte of anything else, and each control character, those of lines and of directions
// included, is '?'.
[[nodiscard]] std::string printable(std::string_view);

}  // namespace parley::inline v0::broker::service
