#include <broker/policy/feedback.hpp>

#include <algorithm>
#include <span>

namespace parley::inline v0::broker {
namespace {

nanoseconds grown(nanoseconds& highest, nanoseconds now) noexcept {
    const nanoseconds by = now > highest ? now - highest : 0;
    highest += by;
    return by;
}

}  // namespace

nanoseconds program_use::held() const noexcept {
    nanoseconds sum = 0;
    for (const core_use& c : cores) sum += c.held;
    return sum;
}

nanoseconds program_use::useful() const noexcept {
    nanoseconds sum = 0;
    for (const core_use& c : cores) sum += c.useful;
    return sum;
}

double program_use::efficiency() const noexcept {
    const nanoseconds all = held();
    return all == 0 ? 1.0 : static_cast<double>(useful()) / static_cast<double>(all);
}

core_use meter::take(const core_counters& now, nanoseconds held) noexcept {
    core_use use{.core = now.core, .held = held};
    nanoseconds left = held;
    const auto up_to_left = [&left](nanoseconds claimed) {
        const nanoseconds believed = std::min(claimed, left);
        left -= believed;
        return believed;
    };
    use.steal = up_to_left(grown(steal_, now.steal));
    use.mug = up_to_left(grown(mug_, now.mug));
    use.useful = up_to_left(grown(useful_, now.useful));
    return use;
}

void clamp_to_run_time(program_use& use, nanoseconds ran) noexcept {
    const nanoseconds claimed = use.useful();
    if (claimed <= ran) return;
    const double believed = static_cast<double>(ran) / static_cast<double>(claimed);
    for (core_use& c : use.cores) c.useful = static_cast<nanoseconds>(static_cast<double>(c.useful) * believed);
}

program_use use_from_run_time(std::span<const core_id> cores, nanoseconds held_each, nanoseconds ran) {
    program_use use;
    for (const core_id core : cores) {
        const nanoseconds here = std::min(ran, held_each);
        ran -= here;
        use.cores.push_back({.core = core, .held = held_each, .useful = here});
    }
    return use;
}

}  // namespace parley::inline v0::broker
