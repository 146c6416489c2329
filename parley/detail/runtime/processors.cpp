// The number of processors that this process may use. It follows from sched_getaffinity(2) and the cgroup CPU quotas,
// v2 (cpu.max) and v1 (cpu.cfs_quota_us, cpu.cfs_period_us), of its own group and all above it.
#include <parley/options.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string>
#include <vector>

namespace parley::inline v0 {

namespace {

unsigned affinity_count() {
    // The size of the mask is not known beforehand, because there are machines with more than 1,024 processors.
    for (std::size_t processors = 1024; processors <= (1u << 20); processors *= 2) {
        std::vector<unsigned long> mask(processors / (8 * sizeof(unsigned long)));
        const std::size_t bytes = mask.size() * sizeof(unsigned long);
        auto* set = reinterpret_cast<cpu_set_t*>(mask.data());
        if (sched_getaffinity(0, bytes, set) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT_S(bytes, set)));
    }
    return 1;
}

// Returns the number of CPUs that the files of one group allow, or 0 if they set no limit or are not there.
double quota_in(const std::string& folder) {
    if (std::ifstream file(folder + "/cpu.max"); file) {
        std::string quota;
        double period = 0;
        if (file >> quota >> period && quota != "max" && period > 0) return std::strtod(quota.c_str(), nullptr) / period;
        return 0;
    }
    std::ifstream quota_file(folder + "/cpu.cfs_quota_us");
    std::ifstream period_file(folder + "/cpu.cfs_period_us");
    double quota = 0;
    double period = 0;
    if (quota_file >> quota && period_file >> period && quota > 0 && period > 0) return quota / period;
    return 0;
}

// Returns the folder at which the hierarchy of a line of /proc/self/cgroup is mounted by convention. Such lines are
// "0::/a/b" or "4:cpu,cpuacct:/a/b".
std::string mount_of(const std::string& controllers) {
    if (controllers.empty()) return "/sys/fs/cgroup";
    std::istringstream list(controllers);
    for (std::string one; std::getline(list, one, ',');)
        if (one == "cpu") return "/sys/fs/cgroup/cpu";
    return {};
}

double tightest_quota() {
    double tightest = 0;
    const auto consider = [&](double quota) {
        if (quota > 0 && (tightest == 0 || quota < tightest)) tightest = quota;
    };
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string mount = mount_of(line.substr(first + 1, second - first - 1));
        if (mount.empty()) continue;
        // A container often sees its own group as the root of the mount, and there the loop ends.
        for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
            consider(quota_in(mount + (path == "/" ? "" : path)));
            if (path.empty() || path.rfind('/') == std::string::npos) break;
        }
    }
    return tightest;
}

}  // namespace

processor_count available_processors() { return {affinity_count(), tightest_quota()}; }

unsigned default_workers() {
    const processor_count p = available_processors();
    unsigned workers = p.affinity;
    if (p.cgroup_quota > 0) workers = std::min(workers, static_cast<unsigned>(std::ceil(p.cgroup_quota)));
    return std::clamp(workers, 1u, max_workers);
}

}  // namespace parley::inline v0
