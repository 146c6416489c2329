#include "lab/programs/molecules.hpp"

#include <cmath>
#include <parley/detail/base/rng.hpp>

#include "lab/programs/choice.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

namespace {

constexpr double density = 0.8;
constexpr double cutoff = 2.5;
constexpr double skin = 0.3;  // how far beyond it a pair is kept
constexpr double time_step = 0.004;

}  // namespace

molecules::molecules(unsigned side)
    : length_(std::cbrt(std::pow(side, 3) / density)), speeds_(side * side * side), forces_(speeds_.size()) {
    parley::base::rng random(1);
    const auto off = [&random] { return 0.1 * (static_cast<double>(random.next() >> 11) * 0x1p-53 - 0.5); };
    const double spacing = length_ / side;
    for (unsigned x = 0; x < side; ++x)
        for (unsigned y = 0; y < side; ++y)
            for (unsigned z = 0; z < side; ++z)
                places_.push_back({x * spacing + off(), y * spacing + off(), z * spacing + off()});
    const double reach = (cutoff + skin) * (cutoff + skin);
    for (std::uint32_t a = 0; a < places_.size(); ++a)
        for (std::uint32_t b = a + 1; b < places_.size(); ++b) {
            const vector3 d = distance(a, b);
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < reach) pairs_.push_back({a, b});
        }
}

// To the nearest image.
vector3 molecules::distance(std::uint32_t a, std::uint32_t b) const noexcept {
    vector3 d{};
    for (std::size_t i = 0; i < 3; ++i) {
        d[i] = places_[a][i] - places_[b][i];
        d[i] -= length_ * std::round(d[i] / length_);
    }
    return d;
}

molecules::interaction molecules::between(pair p) const noexcept {
    const vector3 d = distance(p.first, p.second);
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (square > cutoff * cutoff) return {.of = p};
    const double inverse = 1.0 / square;
    const double sixth = inverse * inverse * inverse;
    const double strength = 24.0 * inverse * sixth * (2.0 * sixth - 1.0);
    return {.of = p, .force = {strength * d[0], strength * d[1], strength * d[2]}, .energy = 4.0 * sixth * (sixth - 1.0)};
}

void molecules::add(const interaction& i) noexcept {
    for (std::size_t k = 0; k < 3; ++k) {
        forces_[i.of.first][k] += i.force[k];
        forces_[i.of.second][k] -= i.force[k];
    }
    potential_ += i.energy;
}

void molecules::move() noexcept {
    double kinetic = 0.0;
    for (std::size_t m = 0; m < places_.size(); ++m)
        for (std::size_t k = 0; k < 3; ++k) {
            speeds_[m][k] += time_step * forces_[m][k];
            places_[m][k] += time_step * speeds_[m][k];
            kinetic += 0.5 * speeds_[m][k] * speeds_[m][k];
            forces_[m][k] = 0.0;
        }
    energy_ = kinetic + potential_;
    potential_ = 0.0;
}

namespace {

template <class S>
class molecules_kernel {
public:
    molecules_kernel(const json& parameters, typename S::pool& pool)
        : farm_(parameters.at("side").get<unsigned>(), parameters.at("steps").get<unsigned>(), plan_of(parameters), pool) {}
    simulated operator()() { return farm_(); }
    static json describe(const simulated& all) {
        return {{"items", all.pairs}, {"in_order", all.in_order}, {"energy", all.energy}};
    }
    static json so_far() { return nullptr; }

private:
    static parley_peers::stream_plan plan_of(const json& parameters) {
        parley_peers::stream_plan plan;
        plan.lanes = parameters.at("lanes").get<unsigned>();
        plan.schedule = parameters.at("schedule").get<std::string>();
        plan.depth = parameters.at("depth").get<std::size_t>();
        plan.chunk = parameters.at("chunk").get<std::size_t>();
        return plan;
    }
    pair_farm<S> farm_;
};

json parameters(const request& wanted) {
    const auto schedule = wanted.given.find("schedule");
    // With 12 there are 69,120 pairs: the paper has 68,000.
    return {{"side", given_or(wanted, "side", 12)},
            {"steps", given_or(wanted, "steps", wanted.size == "small" ? 5 : 100)},
            {"lanes", given_or(wanted, "lanes", 2)},
            {"schedule", schedule != wanted.given.end() ? schedule->second : "stealing"},
            {"depth", given_or(wanted, "depth", 1)},
            {"chunk", given_or(wanted, "chunk", 300)}};
}

json known(const json&) { return {{"in_order", true}}; }

}  // namespace

program farm_md_program() {
    program p{};
    p.name = "farm-md";
    p.summary = "molecular dynamics whose tasks are the forces between two molecules";
    p.options = {
        {"side", "molecules along a side of the box", 2, 60, {}},
        {"steps", "steps of time", 0, 100'000, {}},
        {"lanes", "lanes; parley's `stealing` has as many as there are workers", 1, 1'000, {}},
        {"schedule", "which lane gets a pair, for parley", 0, 0, {"stealing", "on-demand", "round-robin", "adaptive"}},
        {"depth", "of on-demand: items that a lane may have waiting", 0, 1'000'000, {}},
        {"chunk", "of adaptive: CHUNK_SIZE", 5, 1'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_stream_job<molecules_kernel>;
    p.streams = true;
    return p;
}

}  // namespace parley_programs::inline v0
