#include "lab/programs/farm.hpp"

#include <chrono>
#include <initializer_list>
#include <thread>

#include "lab/programs/choice.hpp"
#include "lab/programs/farm_model.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

[[gnu::noinline]] std::uint64_t count_primes(std::uint64_t limit) {
    std::uint64_t primes = 0;
    for (std::uint64_t candidate = 2; candidate <= limit; ++candidate) {
        bool is_prime = true;
        for (std::uint64_t divisor = 2; is_prime && divisor * divisor <= candidate; ++divisor) {
            is_prime = candidate % divisor != 0;
        }
        primes += is_prime ? 1 : 0;
    }
    return primes;
}

std::uint64_t lane_work::operator()() const {
    std::uint64_t found = 1;
    if (upto > 0) {
        for (std::uint64_t i = 0; i < times; ++i) {
            std::uint64_t limit = upto;
            asm volatile("" : "+r"(limit));  // else the compiler counts once and multiplies
            found += count_primes(limit);
        }
    }
    if (sleeps > 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(sleeps));
    }
    return found;
}

farm_plan farm_plan::of(const json& parameters) {
    const auto number = [&](const char* name, std::uint64_t otherwise = 0) {
        return parameters.contains(name) ? parameters.at(name).get<std::uint64_t>() : otherwise;
    };
    farm_plan plan;
    plan.stream.items = number("n");
    plan.stream.lanes = static_cast<unsigned>(number("lanes"));
    plan.stream.ordered = parameters.at("order") == "ordered";
    plan.stream.schedule = parameters.at("schedule").get<std::string>();
    plan.stream.depth = number("depth");
    plan.stream.chunk = number("chunk");
    plan.others = {.upto = number("upto"), .sleeps = number("t")};
    plan.last = {
        .upto = number("fast", number("upto")), .times = number("slow", 1), .sleeps = number("fast-t", number("t"))};
    plan.stream.alike = !(parameters.contains("fast") || parameters.contains("slow") || parameters.contains("fast-t"));
    plan.stream.blocks = number("t") > 0;
    return plan;
}

namespace {

template <class S>
class farm_kernel {
public:
    farm_kernel(const json& parameters, typename S::pool& pool) : farm_(farm_plan::of(parameters), pool) {}
    collected operator()() { return farm_(); }
    static json describe(const collected& all) { return {{"items", all.items}, {"in_order", all.in_order}}; }
    static json so_far() { return nullptr; }

private:
    farm<S> farm_;
};

std::vector<std::string> remarks(const json& parameters, const figures& measured) {
    const farm_plan plan = farm_plan::of(parameters);
    const auto seconds = [](const lane_work& work) { return seconds_of([&work] { (void)work(); }); };
    const farm_model model{plan.stream.lanes, seconds(plan.others), seconds(plan.last)};
    return model.beside(measured.seconds, plan.stream.items);
}

json common(const request& wanted, std::int64_t lanes, std::int64_t items_if_small = 1'000) {
    const auto word = [&](const char* name, const char* otherwise) {
        const auto given = wanted.given.find(name);
        return given != wanted.given.end() ? given->second : std::string(otherwise);
    };
    return {{"n", given_or(wanted, "n", wanted.size == "small" ? items_if_small : 100'000)},
            {"lanes", given_or(wanted, "lanes", lanes)},
            {"schedule", word("schedule", "stealing")},
            {"depth", given_or(wanted, "depth", 1)},
            {"chunk", given_or(wanted, "chunk", 300)},
            {"order", word("order", "ordered")}};
}

json with(json parameters, const request& wanted, std::initializer_list<std::pair<const char*, std::int64_t>> numbers) {
    for (const auto& [name, otherwise] : numbers) {
        parameters[name] = given_or(wanted, name, otherwise);
    }
    return parameters;
}

std::vector<option_spec> options_with(std::int64_t fewest_lanes, std::vector<option_spec> own) {
    std::vector<option_spec> all{
        {"n", "items", 1, 1'000'000'000, {}},
        {"lanes", "lanes; parley's `stealing` on equal lanes has as many as there are workers", fewest_lanes, 1'000, {}},
        {"schedule", "which lane gets an item, for parley", 0, 0, {"stealing", "on-demand", "round-robin", "adaptive"}},
        {"depth", "of on-demand: items that a lane may have waiting", 0, 1'000'000, {}},
        {"chunk", "of adaptive: CHUNK_SIZE", 5, 1'000'000, {}},
        {"order", "of the results", 0, 0, {"ordered", "unordered"}}};
    all.insert(all.end(), own.begin(), own.end());
    return all;
}

// Results that come as they are ready are in order by chance.
json known(const json& parameters) {
    json all{{"items", parameters.at("n")}};
    if (parameters.at("order") == "ordered") {
        all["in_order"] = true;
    }
    return all;
}

const option_spec upto{"upto", "a task counts the primes up to there", 1, 10'000'000, {}};

program farm_program(std::string_view name, std::string_view summary) {
    program p{};
    p.name = name;
    p.summary = summary;
    p.known = known;
    p.make = make_stream_job<farm_kernel>;
    p.streams = true;
    p.remarks = remarks;
    return p;
}

}  // namespace

program farm_uniform_program() {
    program p = farm_program("farm-uniform", "a farm whose n tasks count the primes up to 7500, each on equal lanes");
    p.options = options_with(1, {upto});
    p.parameters = [](const request& wanted) { return with(common(wanted, 2), wanted, {{"upto", 7'500}}); };
    return p;
}

program farm_fast_program() {
    program p =
        farm_program("farm-fast", "the same with a last lane that counts the primes up to 2000: some 6 times faster");
    p.options = options_with(2, {upto, {"fast", "the last lane counts up to there", 1, 10'000'000, {}}});
    p.parameters = [](const request& wanted) { return with(common(wanted, 2), wanted, {{"upto", 7'500}, {"fast", 2'000}}); };
    return p;
}

program farm_slow_program() {
    program p =
        farm_program("farm-slow", "the same with a last lane that takes several times as long, as if its memory were far");
    p.options = options_with(2, {upto, {"slow", "how many times as long the last lane takes", 1, 1'000, {}}});
    p.parameters = [](const request& wanted) { return with(common(wanted, 2), wanted, {{"upto", 7'500}, {"slow", 3}}); };
    return p;
}

program farm_sleep_program() {
    program p =
        farm_program("farm-sleep", "a farm whose lanes sleep, the last one for a shorter time, with a thread for each lane");
    p.options = options_with(2, {{"t", "microseconds that a task sleeps", 1, 1'000'000, {}},
                                 {"fast-t", "the same on the last lane", 1, 1'000'000, {}}});
    p.parameters = [](const request& wanted) {
        return with(common(wanted, 4, 200), wanted, {{"t", 2'800}, {"fast-t", 483}});
    };
    return p;
}

}  // namespace parley_programs::inline v0
