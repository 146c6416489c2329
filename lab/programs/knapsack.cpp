#include "lab/programs/knapsack.hpp"

#include <algorithm>
#include <parley/detail/base/rng.hpp>

#include "lab/programs/choice.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

knapsack_instance make_knapsack(std::size_t n, std::uint64_t seed) {
    constexpr std::uint64_t lightest = 1000;
    constexpr std::uint32_t different_weights = 100;
    constexpr std::uint64_t worth_of_each = 100;
    parley::base::rng random(seed);
    knapsack_instance instance;
    std::uint64_t weight_of_all = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t weight = lightest + random.below(different_weights);
        instance.items.push_back({weight + worth_of_each, weight});
        weight_of_all += weight;
    }
    std::sort(instance.items.begin(), instance.items.end(),
              [](const knapsack_item& a, const knapsack_item& b) { return a.value * b.weight > b.value * a.weight; });
    instance.capacity = weight_of_all * ((n + 1) / 2) / n;
    return instance;
}

std::uint64_t best_by_table(const knapsack_instance& instance) {
    std::vector<std::uint64_t> best(instance.capacity + 1);  // at each capacity, of the items up to now
    for (const knapsack_item& item : instance.items) {
        for (std::uint64_t capacity = instance.capacity; capacity >= item.weight; --capacity) {
            best[capacity] = std::max(best[capacity], best[capacity - item.weight] + item.value);
        }
    }
    return best.back();
}

namespace {

knapsack_instance instance_of(const json& parameters) {
    return make_knapsack(parameters.at("n").get<std::size_t>(), parameters.at("seed").get<std::uint64_t>());
}

template <class S>
class knapsack_kernel {
public:
    knapsack_kernel(const json& parameters, typename S::pool&) : search_(instance_of(parameters)) {}
    void prepare() { search_.prepare(); }
    std::uint64_t operator()() { return search_(); }
    static json describe(std::uint64_t value) { return {{"value", value}}; }
    json so_far() const { return describe(search_.best()); }

private:
    knapsack<S> search_;
};

// The BIAS paper packs 28 items; others have no knapsack and get the same. Of 26, there are some five million tasks.
json parameters(const request& wanted) {
    return {{"n", given_or(wanted, "n", wanted.size == "small" ? 26 : 28)}, {"seed", wanted.seed.value_or(1)}};
}

json known(const json& parameters) { return {{"value", best_by_table(instance_of(parameters))}}; }

}  // namespace

program knapsack_program() {
    program p{};
    p.name = "knapsack";
    p.summary = "the most valuable of n items that fit, by branch and bound, one task for each choice";
    p.options = {{"n", "items; the work about doubles with each", 1, 100, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_forking_job<knapsack_kernel>;
    p.forks = true;
    return p;
}

}  // namespace parley_programs::inline v0
