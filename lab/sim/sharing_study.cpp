#include <broker/policy/bias_policy.hpp>
#include <broker/policy/fair_share.hpp>
#include <lab/sim/sharing_study.hpp>
#include <lab/sim/timed/report.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::sim {
namespace {

std::vector<known_way> make_ways() {
    const auto fair = std::make_shared<broker::fair_share>();
    broker::fair_share_options from_one_core;
    from_one_core.first_desire = 1;
    broker::fair_share_options plain;
    plain.desire.longest = 0;
    const auto figure = std::make_shared<broker::bias_policy>();
    broker::bias_options text;
    text.serves_deprived = true;
    broker::bias_options figure_from_one;
    figure_from_one.starts_everywhere = false;
    const auto from_figure = std::make_shared<broker::bias_policy>(figure_from_one);
    const auto brokered = [](std::string key, std::string name, std::shared_ptr<const broker::policy> policy,
                             double quantum) {
        return known_way{std::move(key), {std::move(name), sharing_rule::brokered, std::move(policy), quantum}};
    };
    return {
        {"spinning", {"time-sharing, spinning", sharing_rule::spinning}},
        {"parking", {"time-sharing, parking", sharing_rule::parking}},
        {"equal", {"equal parts", sharing_rule::equal}},
        brokered("bias_policy-6s", "figure 3, 6 s", figure, 6.0),
        brokered("bias_policy-200ms", "figure 3, 0.2 s", figure, 0.2),
        brokered("bias_policy", "figure 3, 0.05 s", figure, 0.05),
        brokered("bias_policy-text", "figure 3 and text, 0.05 s", std::make_shared<broker::bias_policy>(text), 0.05),
        brokered("bias_policy-from-1", "figure 3 from 1 core, 0.05 s", from_figure, 0.05),
        brokered("default-without-hold-off", "default without hold-off", std::make_shared<broker::fair_share>(plain), 0.05),
        brokered("default-from-1", "default from 1 core, 0.05 s", std::make_shared<broker::fair_share>(from_one_core), 0.05),
        brokered("default-200ms", "default, 0.2 s", fair, 0.2),
        brokered("default-100ms", "default, 0.1 s", fair, 0.1),
        brokered("default", "default, 0.05 s", fair, 0.05),
    };
}

struct bounds {
    double makespan = 0.0;
    double flow = 0.0;  // mean
};

bounds bounds_of(const std::vector<virtual_program>& mixed, std::uint32_t cores) {
    double work = 0.0, last = 0.0, first = std::numeric_limits<double>::infinity();
    bounds b;
    for (const virtual_program& p : mixed) {
        for (const program_phase& phase : p.phases) work += phase.work;
        const double alone = time_alone(p, cores);
        last = std::max(last, p.arrives + alone);
        first = std::min(first, p.arrives);
        b.flow += alone / static_cast<double>(mixed.size());
    }
    b.makespan = std::max(last, first + work / cores);
    return b;
}

}  // namespace

const std::vector<known_way>& known_ways() {
    static const std::vector<known_way> all = make_ways();
    return all;
}

std::string what_is_wrong(const sharing_report& r, const std::vector<virtual_program>& mixed, const virtual_machine& m) {
    constexpr double rounding = 1e-6;  // seconds
    if (!r.ended) return "it does not end";
    for (std::size_t i = 0; i < mixed.size(); ++i)
        if (r.ends[i] + rounding < mixed[i].arrives + time_alone(mixed[i], m.cores))
            return "program " + std::to_string(i) + " has ended sooner than alone";
    if (r.makespan + rounding < bounds_of(mixed, m.cores).makespan) return "more work is done than the cores can do";
    return {};
}

sharing_series over_seeds(const program_mix& m, const known_way& way, int seeds, const virtual_machine& machine,
                          const std::function<bool()>& stops) {
    sharing_series all;
    all.key = way.key;
    all.name = way.how.name;
    for (int seed = 1; seed <= seeds; ++seed) {
        if (stops && stops()) throw timed::stopped();
        const std::vector<virtual_program> mixed = m.make(static_cast<std::uint64_t>(seed));
        const sharing_report r = run_sharing(mixed, machine, way.how);
        if (const std::string wrong = what_is_wrong(r, mixed, machine); !wrong.empty())
            throw std::runtime_error(m.name + ", " + all.name + ", seed " + std::to_string(seed) + ": " + wrong);
        all.makespan.push_back(r.makespan);
        all.flow.push_back(r.mean_flow);
        all.slowdown.push_back(r.worst_slowdown);
        all.wasted.push_back(r.wasted);
        all.moves.push_back(static_cast<double>(r.moves));
        all.messages.push_back(static_cast<double>(r.messages));
    }
    return all;
}

sharing_series lower_bounds(const program_mix& m, int seeds, const virtual_machine& machine) {
    sharing_series all;
    all.key = "bound";
    all.name = "lower bound";
    for (int seed = 1; seed <= seeds; ++seed) {
        const bounds b = bounds_of(m.make(static_cast<std::uint64_t>(seed)), machine.cores);
        all.makespan.push_back(b.makespan);
        all.flow.push_back(b.flow);
        for (series* s : {&all.slowdown, &all.wasted, &all.moves, &all.messages}) s->push_back(0.0);
    }
    return all;
}

series ratios(const series& a, const series& b) {
    series r;
    for (std::size_t i = 0; i < a.size(); ++i) r.push_back(a[i] / b[i]);
    return r;
}

}  // namespace parley::inline v0::sim
