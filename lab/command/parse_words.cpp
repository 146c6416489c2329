#include "lab/command/parse_words.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "command/usage.hpp"

namespace parley_cli {

bool parse_words(CLI::App& app, arguments words) {
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", app.help());
        return false;
    } catch (const CLI::ParseError& error) {
        throw usage_error(fmt::format("{0}: {1}; see {0} --help", app.get_name(), error.what()));
    }
    return true;
}

}  // namespace parley_cli
