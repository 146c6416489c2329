#include "lab/command/sim/farm_timeline.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace parley_cli {
namespace {

using parley::sim::farms::deed;
using parley::sim::farms::sight;
namespace timed = parley::sim::timed;

// Both ends are cut to nanoseconds, so that what comes one after the other does not overlap. In microseconds.
std::string time_of(std::int64_t nanoseconds) { return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000); }

std::string_view name_of(deed what) {
    switch (what) {
        case deed::choose: return "chooses";
        case deed::give: return "gives";
        case deed::item: return "item";
        case deed::fake: return "fake task";
        case deed::collect: break;
    }
    return "collects";
}

std::string arguments_of(const sight& s) {
    if (s.what == deed::fake) return fmt::format(R"("episode":{})", s.number);
    if (s.what == deed::give) return fmt::format(R"("item":{},"lane":{})", s.number, s.lane);
    return fmt::format(R"("item":{})", s.number);
}

}  // namespace

std::string farm_timeline::name_of(std::size_t part) {
    if (part == emitter) return "emitter";
    return part == collector ? "collector" : fmt::format("lane {}", part - first_lane);
}

void farm_timeline::sees(const sight& s) {
    const bool by_emitter = s.what == deed::choose || s.what == deed::give;
    of_part& part = parts_[by_emitter ? emitter : s.what == deed::collect ? collector : first_lane + s.lane];
    sight later = s;
    later.from += streams_before_;
    later.to += streams_before_;
    if (part.ring.size() < most_) {
        part.ring.push_back(later);
    } else {
        part.ring[part.seen % most_] = later;
    }
    ++part.seen;
}

std::string farm_timeline::text() const {
    std::string all =
        "[\n"
        R"({"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"virtual farm"}})";
    const auto to = std::back_inserter(all);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const of_part& part = parts_[p];
        fmt::format_to(to,
                       ",\n"
                       R"({{"ph":"M","pid":1,"tid":{},"name":"thread_name","args":{{"name":"{}"}}}})",
                       p, name_of(p));
        fmt::format_to(to,
                       ",\n"
                       R"({{"ph":"M","pid":1,"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})",
                       p, p);
        const std::uint64_t first = part.seen - part.ring.size();
        if (first != 0)
            fmt::format_to(to,
                           ",\n"
                           R"({{"ph":"i","pid":1,"tid":{},"ts":0,"s":"t","name":"{} events are not kept"}})",
                           p, first);
        for (std::uint64_t n = first; n < part.seen; ++n) {
            const sight& s = part.ring[n % most_];
            const std::int64_t from = s.from / timed::nanosecond, until = s.to / timed::nanosecond;
            fmt::format_to(to,
                           ",\n"
                           R"({{"ph":"X","pid":1,"tid":{},"ts":{},"dur":{},"name":"{}","args":{{{}}}}})",
                           p, time_of(from), time_of(until - from), parley_cli::name_of(s.what), arguments_of(s));
        }
    }
    return all + "\n]\n";
}

}  // namespace parley_cli
