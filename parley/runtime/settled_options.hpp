// What a user chose, with everything that follows from it.
#pragma once

#include <parley/runtime/options.hpp>

namespace parley::inline v0::threading {

// Throws usage_error for what cannot be chosen together.
options settled(options chosen);

}  // namespace parley::inline v0::threading
