// The comparison of the thesis' chapter 6: the workloads of its tables 6.1 to 6.3.
#pragma once

#include <string>

#include "lab/command/suite.hpp"

namespace parley_cli {

// The 21 workloads, in the tables' order. Throws usage_error for sizes other than small and ch6.
[[nodiscard]] suite chapter6(const std::string& size, unsigned processors);

}  // namespace parley_cli
