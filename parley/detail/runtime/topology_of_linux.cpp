// The machine without hwloc: the processors of the thread's affinity mask. The files in /sys say what each shares with
// others.
#include <parley/detail/runtime/topology.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <sched.h>
#include <string>
#include <string_view>
#include <vector>

namespace parley::inline v0::threading {

namespace {

// Things that processors may share, from near to far. Each file lists processors, or has the number of a package. Two
// processors share the thing if their files say the same. If a file is not there, no two processors share the thing, so
// farther things decide.
constexpr std::array<std::string_view, 4> shared_things = {"topology/thread_siblings_list", "cache/index2/shared_cpu_list",
                                                           "cache/index3/shared_cpu_list", "topology/physical_package_id"};

struct place {
    int processor = 0;
    std::array<std::string, shared_things.size()> shares = {};
};

place place_of(int processor) {
    place p{.processor = processor};
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/";
    for (std::size_t i = 0; i < shared_things.size(); ++i) {
        std::ifstream file(folder + std::string(shared_things[i]));
        std::getline(file, p.shares[i]);
    }
    return p;
}

// The processors that this process may use, in the order in which workers take them.
struct places {
    std::vector<place> in_order;
    std::vector<place> cores_first;  // one processor of every core, then the second of each, ...

    places() {
        cpu_set_t allowed;
        CPU_ZERO(&allowed);
        if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
        for (int p = 0; p < CPU_SETSIZE; ++p)
            if (CPU_ISSET(static_cast<std::size_t>(p), &allowed)) in_order.push_back(place_of(p));
        std::map<std::string, std::size_t> seen;  // the number of processors of each core up to here
        std::vector<std::size_t> rank;
        for (const place& p : in_order) rank.push_back(p.shares[0].empty() ? 0 : seen[p.shares[0]]++);
        for (std::size_t sibling = 0; cores_first.size() < in_order.size(); ++sibling)
            for (std::size_t i = 0; i < in_order.size(); ++i)
                if (rank[i] == sibling) cores_first.push_back(in_order[i]);
    }
};

const std::vector<place>& order_of(binding how) {
    static const places* const known = new places;  // kept for the life of the process
    return how == binding::cores ? known->cores_first : known->in_order;
}

std::uint32_t distance(const place& one, const place& other) {
    if (one.processor == other.processor) return 0;
    std::uint32_t levels = 1;
    for (std::size_t i = 0; i < shared_things.size(); ++i, ++levels)
        if (!one.shares[i].empty() && one.shares[i] == other.shares[i]) break;
    return levels;
}

}  // namespace

std::string_view hwloc_version() noexcept { return "none"; }

std::vector<std::uint32_t> distances(binding how, unsigned workers) {
    const auto& order = order_of(how);
    std::vector<std::uint32_t> all(std::size_t{workers} * workers, 0);
    if (order.empty()) return all;
    for (std::size_t w = 0; w < workers; ++w)
        for (std::size_t v = 0; v < workers; ++v)
            all[w * workers + v] = distance(order[w % order.size()], order[v % order.size()]);
    return all;
}

void bind_this_thread(binding how, protocol::worker_id id, unsigned) noexcept {
    try {
        const auto& order = order_of(how);
        if (order.empty()) return;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(order[id % order.size()].processor), &one);
        sched_setaffinity(0, sizeof one, &one);
    } catch (...) {
        // Without memory for the list of places the thread stays unbound.
    }
}

}  // namespace parley::inline v0::threading
