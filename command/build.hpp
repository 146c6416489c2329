// What was built, from which commit and by what.
#pragma once

#include <string_view>

namespace parley_cli {

struct build {
    std::string_view version;
    std::string_view commit;
    std::string_view compiler;
    std::string_view flags;
};

[[nodiscard]] build this_build() noexcept;

}  // namespace parley_cli
