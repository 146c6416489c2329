#include "command/run_main.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <parley/detail/trace/recording.hpp>
#include <parley/parley.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "command/build.hpp"
#include "command/usage.hpp"

namespace parley_cli {

namespace {

int dispatch(arguments args, std::span<const verb> verbs, void (*print_help)()) {
    std::vector<std::string> names;
    for (const verb& v : verbs) {
        names.emplace_back(v.name);
    }
    if (args.empty()) {
        throw usage_error(fmt::format("parley: which verb? verbs: {}; see parley --help", join(names)));
    }
    const std::string_view wanted = args.front();
    for (const verb& v : verbs) {
        if (wanted == v.name) {
            return v.run(args);
        }
    }
    if (wanted == "--help" || wanted == "-h" || wanted == "help") {
        print_help();
        return exit_status::succeeded;
    }
    if (wanted == "--version") {
        fmt::print("parley {}\n", this_build().version);
        return exit_status::succeeded;
    }
    throw usage_error(
        fmt::format("parley: there is no verb {}; verbs: {}{}", shown(wanted), join(names), suggestion(wanted, names)));
}

int report_error(const char* prefix, const std::exception& error, int status) {
    fmt::print(stderr, "{}{}\n", prefix, error.what());
    return status;
}

// What was said may not have been written; nobody misses it where standard output is closed. Of a timeline the library
// has said so itself.
int finish(int status) {
    errno = 0;
    const bool is_closed = fcntl(STDOUT_FILENO, F_GETFD) == -1;
    const bool is_written = is_closed || (std::fflush(stdout) == 0 && std::ferror(stdout) == 0);
    if (!is_written) {
        fmt::print(stderr, "parley: cannot write standard output: {}\n",
                   errno != 0 ? std::strerror(errno) : "not all of it");
    }
    const bool all_written = is_written && parley::trace::timeline_error() == 0;
    return status == exit_status::succeeded && !all_written ? exit_status::failed : status;
}

}  // namespace

int run_main(int argc, char** argv, std::span<const verb> verbs, void (*print_help)()) {
    const std::vector<const char*> args(argv + (argc > 0 ? 1 : 0), argv + argc);
    try {
        return finish(dispatch(args, verbs, print_help));
    } catch (const usage_error& error) {
        return report_error("", error, exit_status::bad_usage);
    } catch (const parley::environment_error& error) {
        return report_error("parley: ", error, exit_status::bad_usage);
    } catch (const parley::usage_error& error) {
        return report_error("", error, exit_status::bad_usage);
    } catch (const std::exception& error) {
        return report_error("parley: ", error, exit_status::failed);
    }
}

}  // namespace parley_cli
