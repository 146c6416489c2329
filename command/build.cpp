// The only file that the generated header makes the build look at again.
#include "command/build.hpp"

#include <parley/version.hpp>
#include <parley_build_info.hpp>

namespace parley_cli {

build this_build() noexcept { return {PARLEY_VERSION, PARLEY_COMMIT, PARLEY_COMPILER, PARLEY_FLAGS}; }

}  // namespace parley_cli
