#include "command/info.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <parley/detail/runtime/topology.hpp>
#include <parley/parley.hpp>

#include "command/build.hpp"
#include "command/machine.hpp"
#include "command/usage.hpp"

namespace parley_cli {
namespace {

void print_build(std::string_view programs) {
    const build b = this_build();
    fmt::print("parley    {}, commit {}\ncompiler  {} {}\nhwloc     {}\n{}\n", b.version, b.commit, b.compiler, b.flags,
               parley::threading::hwloc_version(), programs);
}

void print_machine() {
    const parley::processor_count available = parley::available_processors();
    fmt::print("machine   {}\n", machine_summary());
    const unsigned nodes = numa_nodes();
    fmt::print("numa      {}\n", nodes == 0 ? "unknown" : nodes == 1 ? "1 node" : fmt::format("{} nodes", nodes));
    fmt::print("affinity  {} of {} processors\n", available.affinity, online_processors());
    fmt::print("cgroup    {}\n\n", available.cgroup_quota > 0
                                       ? fmt::format("a quota of {:.2f} processors", available.cgroup_quota)
                                       : "no quota");
}

void print_workers(const parley::options& options) {
    if (options.serial) {
        fmt::print("workers   1, and every call at once where it is written, from PARLEY_SERIAL\n");
    } else if (options.workers != 0) {
        fmt::print("workers   {} unless --workers says otherwise, from PARLEY_WORKERS\n", options.workers);
    } else {
        fmt::print("workers   {} unless --workers says otherwise, least of affinity and quota\n", parley::default_workers());
    }
}

void print_environment() {
    bool any = false;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        if (std::string_view(*entry).starts_with("PARLEY_")) {
            fmt::print("{}{}\n", any ? "          " : "variables ", *entry);
            any = true;
        }
    }
    if (!any) {
        fmt::print("variables none of the PARLEY_* kind\n");
    }
}

}  // namespace

int print_info(arguments args, std::string_view programs) {
    if (!args.empty()) {
        const std::string_view first = args.front();
        if (first == "--help" || first == "-h") {
            fmt::print(
                "parley info: what was built, on what machine it runs, and how many workers "
                "it would take and why.\nNo options.\n");
            return exit_status::succeeded;
        }
        throw usage_error(fmt::format("parley info: {} is not an option; it has none but --help", shown(first)));
    }
    const parley::options options = parley::options::from_environment();
    print_build(programs);
    print_machine();
    print_workers(options);
    print_environment();
    return exit_status::succeeded;
}

}  // namespace parley_cli
