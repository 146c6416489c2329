#include "command/machine.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace parley_cli {

std::string processor_model() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return "unknown processor";
}

unsigned online_processors() {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? static_cast<unsigned>(online) : 1U;
}

std::string machine_summary() {
    utsname names{};
    const bool known = uname(&names) == 0;
    return fmt::format("{}, {} processors, {}", processor_model(), online_processors(),
                       known ? fmt::format("{} {} {}", names.sysname, names.release, names.machine) : "unknown kernel");
}

unsigned numa_nodes() {
    unsigned nodes = 0;
    std::error_code trouble;
    const std::filesystem::directory_iterator all("/sys/devices/system/node", trouble);
    for (const auto& entry : all) {
        const std::string name = entry.path().filename().string();
        const bool is_node =
            name.starts_with("node") && name.size() > 4 && name.find_first_not_of("0123456789", 4) == std::string::npos;
        nodes += is_node ? 1 : 0;
    }
    return nodes;
}

}  // namespace parley_cli
