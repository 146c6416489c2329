#include "lab/programs/solution_pool.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lab/programs/choice.hpp"
#include "lab/programs/farm_model.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

solution::solution(std::uint64_t seed) : random_(seed) {
    for (double& x : place_) x = between(-5.12, 5.12);
    height_ = height_at(place_);
}

double solution::height_at(const place& at) noexcept {
    double height = 10.0 * dimensions;
    for (const double x : at) height += x * x - 10.0 * std::cos(2.0 * std::numbers::pi * x);
    return height;
}

double solution::between(double low, double high) noexcept {
    return low + (high - low) * (static_cast<double>(random_.next() >> 11) * 0x1p-53);
}

void solution::improve(std::uint64_t trials) {
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
        const double reach = 2.0 * static_cast<double>(trials - trial) / static_cast<double>(trials);
        place there = place_;
        for (double& x : there) x += between(-reach, reach);
        const double height = height_at(there);
        if (height < height_) {
            place_ = there;
            height_ = height;
        }
    }
}

void solution::move_to(const solution& other) noexcept {
    place_ = other.place_;
    height_ = other.height_;
}

namespace {

pool_plan plan_of(const json& parameters) {
    pool_plan plan;
    plan.stream.items = parameters.at("n").get<std::uint64_t>();
    plan.stream.lanes = parameters.at("lanes").get<unsigned>();
    plan.stream.alike = false;
    plan.stream.schedule = parameters.at("schedule").get<std::string>();
    plan.stream.depth = parameters.at("depth").get<std::size_t>();
    plan.stream.chunk = parameters.at("chunk").get<std::size_t>();
    plan.pool = std::min(parameters.at("pool").get<std::uint64_t>(), plan.stream.items);
    plan.trials = parameters.at("trials").get<std::uint64_t>();
    plan.trials_of_last = parameters.at("fast").get<std::uint64_t>();
    return plan;
}

template <class S>
class pool_kernel {
public:
    pool_kernel(const json& parameters, typename S::pool& pool) : search_(plan_of(parameters), pool) {}
    searched operator()() { return search_(); }
    // How low it comes depends on who worked on what, and is nobody's fault.
    static json describe(const searched& all) { return {{"items", all.items}, {"improved", all.height < all.first_height}}; }
    static json so_far() { return nullptr; }

private:
    solution_pool<S> search_;
};

std::vector<std::string> remarks(const json& parameters, const figures& measured) {
    const pool_plan plan = plan_of(parameters);
    const auto seconds = [](std::uint64_t trials) { return seconds_of([trials] { solution(1).improve(trials); }); };
    const farm_model model{plan.stream.lanes, seconds(plan.trials), seconds(plan.trials_of_last)};
    return model.beside(measured.seconds, plan.stream.items);
}

json parameters(const request& wanted) {
    const auto schedule = wanted.given.find("schedule");
    return {{"n", given_or(wanted, "n", wanted.size == "small" ? 1'000 : 100'000)},
            {"pool", given_or(wanted, "pool", 100)},
            {"trials", given_or(wanted, "trials", 2'000)},
            {"fast", given_or(wanted, "fast", 500)},
            {"lanes", given_or(wanted, "lanes", 2)},
            {"schedule", schedule != wanted.given.end() ? schedule->second : "stealing"},
            {"depth", given_or(wanted, "depth", 1)},
            {"chunk", given_or(wanted, "chunk", 20)}};
}

json known(const json& p) { return {{"items", p.at("n")}, {"improved", true}}; }

}  // namespace

program farm_pool_program() {
    program p{};
    p.name = "farm-pool";
    p.summary = "a pool of solutions that lanes with unequal strategies improve, and a collector puts back";
    p.options = {
        {"n", "how often a solution is worked on, in all", 1, 1'000'000'000, {}},
        {"pool", "solutions; n at most", 1, 1'000'000, {}},
        {"trials", "of a lane at each of them", 1, 10'000'000, {}},
        {"fast", "trials of the last lane", 1, 10'000'000, {}},
        {"lanes", "lanes", 2, 1'000, {}},
        {"schedule", "which lane gets a solution, for parley", 0, 0, {"stealing", "on-demand", "round-robin", "adaptive"}},
        {"depth", "of on-demand: solutions that a lane may have waiting", 0, 1'000'000, {}},
        {"chunk", "of adaptive: CHUNK_SIZE", 5, 1'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_stream_job<pool_kernel>;
    p.streams = true;
    p.remarks = remarks;
    return p;
}

}  // namespace parley_programs::inline v0
