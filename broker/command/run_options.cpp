#include "broker/command/run_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <broker/policy/section.hpp>
#include <string_view>

#include "broker/command/parse.hpp"
#include "broker/command/socket_option.hpp"
#include "command/usage.hpp"

namespace parley_cli {
namespace {

namespace broker = parley::broker;

constexpr std::size_t longest_name = 31;
constexpr const char* usage =
    "parley broker run [--socket PATH] [--weight N] [--name NAME] [--verbose] -- COMMAND [ARGUMENT...]";

constexpr const char* more_help = R"(
The command, and all processes that it starts, run on the cores that the broker gives them: by CPU
affinity, which follows as the broker decides anew. Their number of threads stays as it is
(OMP_NUM_THREADS and the like are not touched), and so does what threads they bind themselves, until
the cores change. Parley programs among them do not join the broker on their own account.

Without a broker the command runs on all cores it may use, and is confined when a broker appears; if
one dies and none takes its place within a second, it may use them all again. --verbose tells.

Signals INT, TERM, HUP, QUIT, USR1, USR2 and ALRM sent to this process go to the command; its exit
status is the command's, or 128 + the signal that ended it. Killed by KILL, this process leaves the
command running on the cores it had last.
)";

std::string program_name(std::string_view command) {
    const std::string_view last = command.substr(command.rfind('/') + 1);  // npos + 1 is 0
    return std::string(last.substr(0, longest_name));
}

std::string complaint_about_weight(const std::string& value) {
    const auto number = whole_number(value);
    return number && *number >= 1 && *number <= broker::most_weight
               ? ""
               : fmt::format("{} is not allowed; allowed: a whole number from 1 to {}", shown(value), broker::most_weight);
}

std::string complaint_about_name(const std::string& value) {
    return !value.empty() && value.size() <= longest_name
               ? ""
               : fmt::format("{} is not allowed; allowed: 1 to {} bytes", shown(value), longest_name);
}

struct typed {
    std::string socket, weight = "1", name;
    bool verbose = false;
};

// False if help was asked for.
bool parse_options(arguments args, typed& values) {
    CLI::App app(fmt::format("{}\nRuns a command on the cores that the broker gives it.", usage), "parley broker run");
    const auto add = [&](const char* name, std::string& value, const char* help, const char* text,
                         std::string (*complaint)(const std::string&)) {
        app.add_option(name, value, help)
            ->option_text(text)
            ->check(CLI::Validator(complaint, ""))
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    };
    add_socket_option(app, values.socket);
    add("--weight", values.weight, "its share among programs", "N: 1 to 100 (default: 1)", &complaint_about_weight);
    add("--name", values.name, "how it is listed", "NAME (default: the command's)", &complaint_about_name);
    app.add_flag("--verbose", values.verbose, "tell on standard error on which cores it runs");
    app.footer(more_help);
    return parse(app, args, fmt::format("stands before --; usage: {}", usage));
}

}  // namespace

std::optional<led_run> parse_led_run(arguments args) {
    const auto end = std::find(args.begin(), args.end(), std::string_view("--"));
    const auto options = static_cast<std::size_t>(end - args.begin());
    typed values;
    if (!parse_options(args.first(options), values)) {
        return std::nullopt;
    }
    const arguments command = args.subspan(std::min(options + 1, args.size()));
    if (command.empty() || std::string_view(command.front()).empty()) {
        throw usage_error(fmt::format("parley broker run: which command? It comes after --; usage: {}", usage));
    }
    led_run wanted;
    wanted.socket = chosen_socket(values.socket);
    wanted.weight = static_cast<std::uint32_t>(std::stoul(values.weight));
    wanted.name = values.name.empty() ? program_name(command.front()) : values.name;
    wanted.verbose = values.verbose;
    wanted.command = command;
    return wanted;
}

}  // namespace parley_cli
