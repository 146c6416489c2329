#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <parley/parley.hpp>
#include <parley/trace/recording.hpp>
#include <string_view>

#include "command/build.hpp"
#include "command/usage.hpp"
#include "command/verbs.hpp"

namespace {

using namespace parley_cli;

const std::vector<std::string> verbs{"run", "bench", "sim", "cluster", "broker", "top", "info"};

void print_help() {
    fmt::print("parley VERB [...]\n\n"
               "  run PROGRAM   run a program in parallel, check its result, measure it\n"
               "  bench         run programs on several schedulers in turn, compare them\n"
               "  sim           run a program's tasks on virtual workers in virtual time\n"
               "  cluster       run a program on MPI ranks that share its tasks (under mpirun)\n"
               "  broker        share this machine's cores between the programs that run on it\n"
               "  broker run    run a command on the cores that a broker gives it\n"
               "  top           show who has which cores, and why\n"
               "  info          what was built, on what machine, how many workers and why\n\n"
               "More about each: parley VERB --help\n"
               "Exit status: 0; 1 failed or wrong result; 2 bad usage; 130 interrupted\n");
}

int dispatch(arguments args) {
    if (args.empty()) {
        throw usage_error(
            fmt::format("parley: which verb? verbs: {}; see parley --help", join(verbs)));
    }
    const std::string_view verb = args.front();
    if (verb == "run") {
        return run_verb(args.subspan(1));
    }
    if (verb == "bench") {
        return bench_verb(args.subspan(1));
    }
    if (verb == "sim") {
        return sim_verb(args.subspan(1));
    }
    if (verb == "cluster") {
        return cluster_verb(args.subspan(1));
    }
    if (verb == "broker") {
        return broker_verb(args.subspan(1));
    }
    if (verb == "top") {
        return top_verb(args.subspan(1));
    }
    if (verb == "info") {
        return info_verb(args.subspan(1));
    }
    if (verb == "--help" || verb == "-h" || verb == "help") {
        print_help();
        return exit_status::succeeded;
    }
    if (verb == "--version") {
        fmt::print("parley {}\n", this_build().version);
        return exit_status::succeeded;
    }
    throw usage_error(fmt::format("parley: there is no verb {}; verbs: {}{}", shown(verb),
                                  join(verbs), suggestion(verb, verbs)));
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
        fmt::print(stderr, "parley: cannot write standard output: {}\n", errno != 0 ? std::strerror(errno) : "not all of it");
    }
    const bool all_written = is_written && parley::trace::timeline_error() == 0;
    return status == exit_status::succeeded && !all_written ? exit_status::failed : status;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<const char*> args(argv + (argc > 0 ? 1 : 0), argv + argc);
    try {
        return finish(dispatch(args));
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
