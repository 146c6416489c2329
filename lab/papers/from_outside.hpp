// What programs that link both copies of the library name of the one with the papers' machine, in files that are not
// compiled with it.
#pragma once

#include <stdexcept>

namespace parley::papers {

// As parley/errors.hpp has it.
struct usage_error : std::logic_error {
    using std::logic_error::logic_error;
};

namespace trace {
void write_timelines(bool crashing) noexcept;
}

}  // namespace parley::papers
