// Which header of the standard library a name comes from.
#pragma once

#include <string>
#include <string_view>

namespace house {

// "<vector>" for "vector" or "std::vector"; empty for names that several headers have, as begin, and for those that nobody
// here uses. Of a name in a nested namespace pass both: "ranges::sort", "chrono::seconds".
std::string_view header_of(std::string_view name);

}  // namespace house
