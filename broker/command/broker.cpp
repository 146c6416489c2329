// `parley broker`: the service in the foreground, until a signal ends it.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <broker/daemon/daemon.hpp>
#include <broker/daemon/startup_error.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <optional>
#include <parley/detail/base/environment.hpp>
#include <stdexcept>

#include "broker/command/log_file.hpp"
#include "broker/command/options.hpp"
#include "broker/command/picture.hpp"
#include "broker/command/replay.hpp"
#include "broker/command/socket_option.hpp"
#include "command/signals.hpp"
#include "command/usage.hpp"
#include "command/verbs.hpp"

namespace parley_cli {
namespace {

namespace service = parley::broker::service;

// Each program takes two descriptors.
void allow_many_descriptors() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

// A socket that systemd listens at (sd_listen_fds(3)): the first one it gives, if it gives one to this process.
std::optional<int> given_socket() {
    const char* pid = parley::base::environment_variable("LISTEN_PID");
    const char* count = parley::base::environment_variable("LISTEN_FDS");
    if (pid == nullptr || count == nullptr || whole_number(pid) != getpid() || whole_number(count).value_or(0) < 1) {
        return std::nullopt;
    }
    constexpr int first = 3;
    int kind = 0, listens = 0;
    socklen_t size = sizeof kind;
    if (getsockopt(first, SOL_SOCKET, SO_TYPE, &kind, &size) != 0 || kind != SOCK_SEQPACKET ||
        getsockopt(first, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0) {
        throw usage_error(
            "parley broker: descriptor 3, which LISTEN_FDS announces, is no SOCK_SEQPACKET socket that listens");
    }
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    return first;
}

std::string path_of(int socket) {
    sockaddr_un where{};
    socklen_t size = sizeof where - 1;  // a 0 at the end stays
    return getsockname(socket, reinterpret_cast<sockaddr*>(&where), &size) == 0 ? where.sun_path : "";
}

// As an observer sees it. In a folder of another user's somebody else may listen there by now.
void dump(const std::string& socket) {
    try {
        observer own(socket);
        if (!own.is_trusted()) {
            throw std::runtime_error(fmt::format("another user listens at {} now", socket));
        }
        fmt::print(stderr, "{}", drawn(own.look(8), {}));
    } catch (const std::exception& error) {
        fmt::print(stderr, "parley broker: {}\n", error.what());
    }
}

int wait_for_the_end(const std::string& socket) {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR2}) {
        sigaddset(&set, signal);
    }
    for (;;) {
        int signal = 0;
        if (sigwait(&set, &signal) != 0) {
            continue;
        }
        if (signal == SIGUSR2) {
            dump(socket);
        } else {
            return signal == SIGINT ? exit_status::was_interrupted : exit_status::succeeded;
        }
    }
}

int serve(const broker_options& wanted) {
    service::settings how;
    if (const auto given = given_socket()) {
        how.listening = *given;
    }
    how.socket = how.listening >= 0 ? path_of(how.listening) : needed_socket("parley broker", wanted.socket);
    const std::string socket = how.socket;
    how.here = service::look_at_machine(wanted.machine);
    how.how = policy_of(wanted.policy);
    how.steps = wanted.steps;
    // Its numbers mean nothing to threads here.
    how.steps.moves = wanted.steps.moves && wanted.machine.topology.empty();
    how.slot = wanted.slot;
    how.programs_per_user = wanted.programs_per_user;
    std::optional<broker_log> log;
    if (!wanted.log.empty()) {
        log.emplace(wanted.log, *how.here.table, wanted.policy);
        how.log = [&log](parley::broker::section_id s, const parley::broker::record& r) { log->write(s, r); };
    }
    const bool is_given = how.listening >= 0;
    allow_many_descriptors();
    block_watched_signals();
    signal(SIGPIPE, SIG_IGN);  // a log's reader that goes ends the log, not the broker
    const std::uint32_t cores = how.here.table->cores();
    const std::uint32_t sections = how.here.table->sections();
    service::daemon broker(std::move(how));
    if (log) {
        log->begin();
    }
    fmt::print("parley broker: listens at {}, shares {} {} in {} {} ({})\n", is_given ? "the socket it was given" : socket,
               cores, cores == 1 ? "core" : "cores", sections, sections == 1 ? "section" : "sections", wanted.policy.name);
    std::fflush(stdout);
    return wait_for_the_end(socket);
}

}  // namespace

int broker_verb(arguments args) {
    const std::string_view first = args.empty() ? "" : args.front();
    if (first == "run") {
        return broker_run_verb(args.subspan(1));
    }
    try {
        if (first == "replay") {
            const auto wanted = parse_replay(args.subspan(1));
            return wanted ? replay_log(*wanted) : exit_status::succeeded;
        }
        const auto wanted = parse_broker(args);
        return wanted ? serve(*wanted) : exit_status::succeeded;
    } catch (const service::startup_error& error) {
        throw usage_error(fmt::format("parley broker: {}", error.what()));
    }
}

}  // namespace parley_cli
