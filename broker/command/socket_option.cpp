#include "broker/command/socket_option.hpp"

#include <fmt/format.h>

#include <broker/client/broker_path.hpp>
#include <parley/detail/base/environment.hpp>

#include "command/usage.hpp"

namespace parley_cli {

void add_socket_option(CLI::App& app, std::string& given) {
    const auto complaint = [](const std::string& path) {
        const std::string allowed = parley::broker::complaint_about_socket(path);
        return allowed.empty() ? "" : fmt::format("{} is not allowed; allowed: {}", shown(path), allowed);
    };
    app.add_option("--socket", given, "the broker's socket")
        ->option_text("PATH (default: PARLEY_BROKER, else the user's broker's)")
        ->check(CLI::Validator(complaint, ""))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

std::optional<std::string> chosen_socket(const std::string& given) {
    const std::optional<std::string> by_environment =
        parley::broker::broker_path(parley::base::environment_variable("PARLEY_BROKER"));
    return given.empty() ? by_environment : given;
}

std::string needed_socket(const std::string& command, const std::string& given) {
    const std::optional<std::string> socket = chosen_socket(given);
    if (!socket) {
        throw usage_error(fmt::format("{}: PARLEY_BROKER is off; wants --socket PATH, or a path there", command));
    }
    return *socket;
}

}  // namespace parley_cli
