// What the terminal can show.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace parley_cli {

struct terminal {
    bool interactive = false;  // somebody watches: progress may be redrawn, colour used
    bool coloured = false;     // interactive, and NO_COLOR is not set
    bool utf8 = false;         // the locale's encoding

    // Looks at the file, the environment and the locale.
    [[nodiscard]] static terminal of(std::FILE* file);

    [[nodiscard]] std::string bold(std::string_view text) const;
    [[nodiscard]] std::string dim(std::string_view text) const;

    // A bar of up to `width` columns for a part from 0 to 1; in eighths of a column if it can.
    [[nodiscard]] std::string bar(double part, unsigned width) const;
};

}  // namespace parley_cli
