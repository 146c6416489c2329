#include <broker/daemon/machine.hpp>

#include <broker/client/descriptor.hpp>
#include <broker/client/pages.hpp>
#include <broker/daemon/startup_error.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <hwloc.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <utility>
#include <vector>

namespace parley::inline v0::broker::service {
namespace {

constexpr std::string_view synthetic = "synthetic:";

// Reading from a pipe, or from most devices, might never end.
void expect_file(const std::string& path) {
    const std::string why = "cannot read the topology '" + path + "': ";
    const descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat is{};
    if (!file || fstat(file.get(), &is) != 0) throw startup_error(why + system_says());
    if (!S_ISREG(is.st_mode))
        throw startup_error(why + (S_ISDIR(is.st_mode) ? "it is a directory" : "it is no regular file"));
}

struct topology {
    hwloc_topology_t it = nullptr;

    explicit topology(const std::string& source) {
        const bool is_file = !source.empty() && !source.starts_with(synthetic);
        if (is_file) expect_file(source);
        if (hwloc_topology_init(&it) != 0) throw startup_error("hwloc does not start: " + system_says());
        bool loads = true;
        if (source.starts_with(synthetic)) loads = hwloc_topology_set_synthetic(it, source.c_str() + synthetic.size()) == 0;
        else if (is_file) loads = hwloc_topology_set_xml(it, source.c_str()) == 0;
        if (loads && hwloc_topology_load(it) == 0) return;
        hwloc_topology_destroy(it);
        throw startup_error(source.empty() ? "hwloc cannot look at this machine"
                                           : "'" + source +
                                                 "' is no topology: wants a file of hwloc's XML (lstopo FILE.xml) "
                                                 "or synthetic: and a description, as in synthetic:numa:2 l3:1 core:4 pu:1");
    }
    topology(const topology&) = delete;
    topology& operator=(const topology&) = delete;
    ~topology() { hwloc_topology_destroy(it); }
};

using group = std::vector<hwloc_obj_t>;  // processors, in hwloc's order: neighbours are near each other

group usable(const topology& t, bool is_here) {
    const hwloc_cpuset_t allowed = hwloc_bitmap_alloc();
    const bool bounded = is_here && hwloc_get_cpubind(t.it, allowed, HWLOC_CPUBIND_THREAD) == 0;
    group all;
    for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(t.it, HWLOC_OBJ_PU, pu)) != nullptr;)
        if (!bounded || hwloc_bitmap_isset(allowed, pu->os_index) != 0) all.push_back(pu);
    hwloc_bitmap_free(allowed);
    for (const hwloc_obj_t pu : all)
        if (pu->os_index >= most_cores)
            throw startup_error("processor " + std::to_string(pu->os_index) + " cannot be shared: the broker has room for " +
                                "numbers up to " + std::to_string(most_cores - 1) + "; taskset keeps it to those");
    if (all.empty()) throw startup_error("there is no processor to share");
    return all;
}

// By the objects of a type; empty, if not all processors are below one, as where a cache is not known.
std::vector<group> split(const topology& t, const group& all, hwloc_obj_type_t type) {
    std::map<unsigned, group> found;
    for (const hwloc_obj_t pu : all) {
        hwloc_obj_t above = nullptr;
        while ((above = hwloc_get_next_obj_by_type(t.it, type, above)) != nullptr)
            if (hwloc_bitmap_isset(above->cpuset, pu->os_index) != 0) break;
        if (above == nullptr) return {};
        found[above->logical_index].push_back(pu);
    }
    std::vector<group> groups;
    for (auto& [index, members] : found) groups.push_back(std::move(members));
    return groups;
}

// How many levels lie between a processor and the smallest thing that it shares with the other.
std::uint32_t distance(const topology& t, hwloc_obj_t a, hwloc_obj_t b) {
    const hwloc_obj_t shared = hwloc_get_common_ancestor_obj(t.it, a, b);
    return static_cast<std::uint32_t>(a->depth - shared->depth);
}

// Sections have two cores at least [BI §2.5]: smaller ones go to their nearest neighbour.
void merge_small(const topology& t, std::vector<group>& groups) {
    while (groups.size() > 1) {
        const auto small = std::find_if(groups.begin(), groups.end(), [](const group& g) { return g.size() < 2; });
        if (small == groups.end()) return;
        const group lone = *small;
        groups.erase(small);
        const auto nearest = std::min_element(groups.begin(), groups.end(), [&](const group& a, const group& b) {
            return distance(t, lone[0], a[0]) < distance(t, lone[0], b[0]);
        });
        nearest->insert(nearest->end(), lone.begin(), lone.end());
    }
}

std::vector<group> found_sections(const topology& t, const group& all) {
    for (const hwloc_obj_type_t type : {HWLOC_OBJ_L3CACHE, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_PACKAGE})
        if (std::vector<group> groups = split(t, all, type); !groups.empty()) {
            merge_small(t, groups);
            return groups;
        }
    return {all};
}

std::vector<std::string_view> parts(std::string_view text, char between) {
    std::vector<std::string_view> all;
    for (;;) {
        const std::size_t end = text.find(between);
        all.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return all;
        text.remove_prefix(end + 1);
    }
}

std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t n = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc{} && rest == text.data() + text.size() && !text.empty() ? std::optional(n) : std::nullopt;
}

std::vector<group> given_sections(const std::string& text, const group& all) {
    const auto wrong = [&](const std::string& why) {
        return startup_error("--sections " + text + ": " + why +
                             "; wants caches, or cores as in 0-11,12-23 or 0-5+12-17,6-11+18-23");
    };
    std::vector<group> groups;
    std::set<std::uint32_t> seen;
    for (const std::string_view section : parts(text, ',')) {
        groups.emplace_back();
        for (const std::string_view part : parts(section, '+')) {
            const std::size_t dash = part.find('-');
            const auto first = number(part.substr(0, dash));
            const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
            if (!first || !last || *first > *last || *last >= most_cores)
                throw wrong("'" + std::string(part) + "' is no range");
            for (std::uint32_t n = *first; n <= *last; ++n) {
                const auto pu = std::find_if(all.begin(), all.end(), [&](hwloc_obj_t p) { return p->os_index == n; });
                if (pu == all.end()) throw wrong("core " + std::to_string(n) + " is not there, or not to be used");
                if (!seen.insert(n).second) throw wrong("core " + std::to_string(n) + " is in it twice");
                groups.back().push_back(*pu);
            }
        }
    }
    return groups;
}

}  // namespace

std::optional<core_id> machine::core_of(std::uint32_t system_number) const {
    // Mostly a core has the system's number.
    if (system_number < number.size() && number[system_number] == system_number) return system_number;
    const auto found = std::find(number.begin(), number.end(), system_number);
    return found == number.end() ? std::nullopt : std::optional(static_cast<core_id>(found - number.begin()));
}

machine look_at_machine(const machine_options& o) {
    const topology t(o.topology);
    const group all = usable(t, o.topology.empty());
    const std::vector<group> groups = o.sections.empty()       ? std::vector<group>{all}
                                      : o.sections == "caches" ? found_sections(t, all)
                                                               : given_sections(o.sections, all);
    machine m;
    std::vector<section_id> owner;
    for (std::size_t s = 0; s < groups.size(); ++s)
        for (const hwloc_obj_t pu : groups[s]) {
            owner.push_back(static_cast<section_id>(s));
            m.number.push_back(pu->os_index);
        }
    std::optional<std::string> fault = ownership::fault(owner);
    if (!fault && owner.size() == 1 && all.size() > 1) fault = "section 0 has one core only";
    if (fault) throw startup_error((o.sections.empty() ? "" : "--sections " + o.sections + ": ") + *fault);
    std::vector<std::uint32_t> far;
    for (const group& a : groups)
        for (const group& b : groups) far.push_back(distance(t, a[0], b[0]));
    m.table = std::make_shared<const ownership>(std::move(owner), std::move(far));
    return m;
}

}  // namespace parley::inline v0::broker::service
