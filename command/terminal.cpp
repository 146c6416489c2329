#include "command/terminal.hpp"

#include <fmt/format.h>
#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cmath>
#include <cstddef>
#include <parley/detail/base/environment.hpp>

namespace parley_cli {

terminal terminal::of(std::FILE* file) {
    terminal t;
    const char* kind = parley::base::environment_variable("TERM");
    const bool can_redraw = kind != nullptr && std::string_view(kind) != "dumb";
    t.interactive = can_redraw && isatty(fileno(file)) != 0;
    const char* no_colour = parley::base::environment_variable("NO_COLOR");
    t.coloured = t.interactive && (no_colour == nullptr || *no_colour == '\0');
    std::setlocale(LC_CTYPE, "");  // of the encoding only: numbers stay as they are
    t.utf8 = std::string_view(nl_langinfo(CODESET)) == "UTF-8";
    return t;
}

std::string terminal::bold(std::string_view text) const {
    return coloured ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

std::string terminal::dim(std::string_view text) const {
    return coloured ? fmt::format("\033[2m{}\033[0m", text) : std::string(text);
}

std::string terminal::bar(double part, unsigned width) const {
    const double columns = std::clamp(part, 0.0, 1.0) * width;
    if (!utf8) {
        return std::string(static_cast<std::size_t>(std::lround(columns)), '#');
    }
    constexpr std::array<std::string_view, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto whole = static_cast<std::size_t>(std::lround(columns * 8));
    std::string drawn;
    for (std::size_t i = 0; i < whole / 8; ++i) {
        drawn += "█";
    }
    return drawn + std::string(eighths[whole % 8]);
}

}  // namespace parley_cli
