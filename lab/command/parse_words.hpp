// Reads the words of a verb.
#pragma once

#include <CLI/CLI.hpp>

#include "command/verbs.hpp"

namespace parley_cli {

// Reads them as the options of `app`, whose name is the verb. False: help was asked for, and is printed. Throws
// usage_error, which names the verb and says where its help is.
[[nodiscard]] bool parse_words(CLI::App& app, arguments words);

}  // namespace parley_cli
