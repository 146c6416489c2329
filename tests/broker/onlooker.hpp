// A client that only looks on, and what it sees.
#pragma once

#include "tests/broker/service_client.hpp"

#include <optional>
#include <vector>

namespace broker_tests {

struct seen {
    machine_row machine;
    std::vector<program_row> programs;
    std::vector<core_entry> cores;
    std::vector<event_row> events;
};
inline std::optional<seen> look(client& c, std::uint32_t events = 8) {
    if (!c.say(observe{.events = events})) return std::nullopt;
    seen all;
    for (;;) {
        const auto p = c.hear();
        if (!p || p->type() != packet_type::row) return std::nullopt;
        switch (p->as<end_row>().kind) {
            case row_kind::machine: all.machine = p->as<machine_row>(); break;
            case row_kind::program: all.programs.push_back(p->as<program_row>()); break;
            case row_kind::event: all.events.push_back(p->as<event_row>()); break;
            case row_kind::cores: {
                const auto row = p->as<cores_row>();
                all.cores.insert(all.cores.end(), row.cores.begin(), row.cores.begin() + row.count);
                break;
            }
            case row_kind::end: return all;
        }
    }
}

}  // namespace broker_tests
