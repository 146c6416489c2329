// Executions as people read them.
#pragma once

#include <lab/explore/report.hpp>

#include <string>

namespace parley::explore {

// Where threads change, and the last steps of each.
std::string text_of_steps(const report& r);

}  // namespace parley::explore
