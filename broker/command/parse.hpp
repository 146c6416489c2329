// CLI11 as the verbs around the broker use it.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "command/number_between.hpp"
#include "command/usage.hpp"
#include "command/verbs.hpp"

namespace parley_cli {

// False: help was asked for, and is given. Throws usage_error; `stray` is what is wrong with a word that is no option.
inline bool parse(CLI::App& app, arguments args, std::string_view stray = {}) {
    // The verb stands for the program's name.
    std::vector<const char*> words{app.get_name().c_str()};
    words.insert(words.end(), args.begin(), args.end());
    try {
        app.parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", app.help());
        return false;
    } catch (const CLI::ParseError& error) {
        std::vector<std::string> names;
        for (const CLI::Option* o : app.get_options()) {
            names.push_back(o->get_name());
        }
        const std::vector<std::string> extras = app.remaining();
        if (!stray.empty() && !extras.empty() && !extras.front().starts_with('-')) {
            throw usage_error(fmt::format("{}: {} {}", app.get_name(), shown(extras.front()), stray));
        }
        if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !extras.empty()) {
            throw usage_error(fmt::format("{}: {} is not an option; options: {}{}", app.get_name(), shown(extras.front()),
                                          join(names), suggestion(extras.front(), names)));
        }
        throw usage_error(fmt::format("{}: {}", app.get_name(), error.what()));
    }
    return true;
}

}  // namespace parley_cli
