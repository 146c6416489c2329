#include <broker/client/allotment.hpp>

#include <parley/detail/sync/versioned.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <sched.h>
#include <vector>

namespace parley::inline v0::broker {

namespace {

using sync::part;

// Writing takes well below a microsecond. A broker that was stopped meanwhile rings when it has gone on.
constexpr unsigned tries = 100;

struct raw {
    core_mask alone{}, shared{};
    std::uint32_t desire = 0, judged = 0;
    std::uint64_t phase = 0, length = 0;
    std::uint32_t period = 0, first = 0, own = 0;
};

core_mask copy(const core_words& words) {
    core_mask mask{};
    std::transform(words.begin(), words.end(), mask.begin(), [](const auto& word) { return part(word); });
    return mask;
}

raw copy(const allotment_page& page) {
    return {.alone = copy(page.alone),
            .shared = copy(page.shared),
            .desire = part(page.desire),
            .judged = part(page.judged),
            .phase = part(page.slot_phase),
            .length = part(page.slot_length),
            .period = part(page.slot_period),
            .first = part(page.first_slot),
            .own = part(page.own_slots)};
}

std::vector<core_id> cores_in(const core_mask& mask, const core_mask& allowed, const core_mask& except) {
    std::vector<core_id> cores;
    for (core_id c = 0; c < most_cores; ++c)
        if (((mask[c / 64] & allowed[c / 64] & ~except[c / 64]) >> (c % 64) & 1) != 0) cores.push_back(c);
    return cores;
}

}  // namespace

core_mask own_cores() {
    core_mask mask{};
    // The system's mask may be longer than ours.
    for (std::size_t words = mask.size(); words <= 1024 * mask.size(); words *= 2) {
        std::vector<std::uint64_t> all(words);
        if (sched_getaffinity(0, words * sizeof(std::uint64_t), reinterpret_cast<cpu_set_t*>(all.data())) != 0) continue;
        std::copy_n(all.begin(), mask.size(), mask.begin());
        break;
    }
    return mask;
}

std::vector<core_id> allotment::cores_at(nanoseconds clock) const {
    if (next_change(clock) && !gang->is_own(clock)) return alone.empty() ? std::vector{shared.front()} : alone;
    std::vector<core_id> all;
    std::merge(alone.begin(), alone.end(), shared.begin(), shared.end(), std::back_inserter(all));
    return all;
}

std::optional<nanoseconds> allotment::next_change(nanoseconds clock) const {
    const bool has_only_one = alone.empty() && shared.size() == 1;
    if (!gang || shared.empty() || has_only_one) return std::nullopt;
    return gang->next_change(clock);
}

std::optional<allotment> read_allotment(const allotment_page& page, const core_mask& allowed) {
    raw r;
    const auto generation = sync::copy_whole(page.generation, tries, [&] { r = copy(page); });
    if (!generation || *generation == 0) return std::nullopt;
    allotment a{.generation = *generation,
                .alone = cores_in(r.alone, allowed, r.shared),
                .shared = cores_in(r.shared, allowed, {}),
                .desire = r.desire,
                .gang = {}};
    if (a.alone.empty() && a.shared.empty()) return std::nullopt;
    if (r.judged <= static_cast<std::uint32_t>(program_class::deprived)) a.judged = static_cast<program_class>(r.judged);
    if (r.length > 0 && r.period > 0 && r.own > 0)
        a.gang = gang_turns{{.phase = r.phase, .length = r.length, .period = r.period}, {.first = r.first, .count = r.own}};
    return a;
}

}  // namespace parley::inline v0::broker
