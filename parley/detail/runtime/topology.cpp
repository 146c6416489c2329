#include <parley/detail/runtime/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <hwloc.h>
#include <string>
#include <string_view>
#include <vector>

namespace parley::inline v0::threading {

namespace {

// The hardware threads that this process may use, in the order in which workers take them.
struct places {
    hwloc_topology_t topology = nullptr;
    std::vector<hwloc_obj_t> cores_first;  // one thread of every core, then the second of each, ...
    std::vector<hwloc_obj_t> in_order;

    places() {
        if (hwloc_topology_init(&topology) != 0) return;
        if (hwloc_topology_load(topology) != 0) return;
        // hwloc shows the whole machine. The process may have been given a part of it (by taskset, or a batch system),
        // and binding must not leave that part.
        const hwloc_cpuset_t allowed = hwloc_bitmap_alloc();
        const bool known = hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_THREAD) == 0;
        for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != nullptr;)
            if (!known || hwloc_bitmap_isset(allowed, pu->os_index) != 0) in_order.push_back(pu);
        hwloc_bitmap_free(allowed);
        unsigned sibling = 0;
        while (cores_first.size() < in_order.size()) {
            for (const hwloc_obj_t pu : in_order) {
                const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
                const unsigned rank = core == nullptr ? 0 : rank_in(core, pu);
                if (rank == sibling) cores_first.push_back(pu);
            }
            ++sibling;
        }
    }
    static unsigned rank_in(hwloc_obj_t core, hwloc_obj_t pu) {
        unsigned rank = 0;
        for (hwloc_obj_t o = pu->prev_cousin; o != nullptr && o->parent == pu->parent; o = o->prev_cousin) ++rank;
        return core->arity == 0 ? 0 : rank;
    }
};

const places& known_places() {
    static const places* const loaded = new places;  // kept for the life of the process
    return *loaded;
}

const std::vector<hwloc_obj_t>& order_of(binding how) {
    const places& p = known_places();
    return how == binding::cores ? p.cores_first : p.in_order;
}

}  // namespace

std::string_view hwloc_version() noexcept {
    static const auto text = [] {
        const unsigned v = hwloc_get_api_version();
        return std::to_string(v >> 16) + "." + std::to_string(v >> 8 & 0xff) + "." + std::to_string(v & 0xff);
    }();
    return text;
}

std::vector<std::uint32_t> distances(binding how, unsigned workers) {
    const auto& order = order_of(how);
    std::vector<std::uint32_t> all(std::size_t{workers} * workers, 0);
    if (order.empty()) return all;
    for (std::size_t w = 0; w < workers; ++w)
        for (std::size_t v = 0; v < workers; ++v) {
            const hwloc_obj_t one = order[w % order.size()];
            const hwloc_obj_t other = order[v % order.size()];
            const hwloc_obj_t shared = hwloc_get_common_ancestor_obj(known_places().topology, one, other);
            all[w * workers + v] = static_cast<std::uint32_t>(one->depth - shared->depth);
        }
    return all;
}

void bind_this_thread(binding how, protocol::worker_id id, unsigned) noexcept {
    try {
        const auto& order = order_of(how);
        if (order.empty()) return;
        hwloc_set_cpubind(known_places().topology, order[id % order.size()]->cpuset, HWLOC_CPUBIND_THREAD);
    } catch (...) {
        // Without memory for the list of places the thread stays unbound.
    }
}

}  // namespace parley::inline v0::threading
