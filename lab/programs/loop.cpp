#include "lab/programs/loop.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/loop_job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

constexpr std::array<std::string_view, 5> names{"FG", "CG", "RG", "IG", "DG"};

template <class S>
class loop_kernel {
public:
    loop_kernel(const json& parameters, typename S::pool&)
        : loop_({*loop_kind_named(parameters.at("kind").get<std::string>()), parameters.at("n").get<std::uint64_t>(),
                 parameters.at("t").get<double>(), parameters.at("seed").get<std::uint64_t>(),
                 parameters.at("poll").get<double>(), parameters.at("passes").get<std::uint64_t>()}) {}
    void prepare() { loop_.prepare(); }
    bool operator()() {
        loop_();
        return true;
    }
    json describe(bool) const { return {{"sum", loop_.sum()}}; }
    static json so_far() { return nullptr; }

private:
    loop_of_lengths<S> loop_;
};

struct row {
    std::string_view kind;
    std::int64_t n;
    std::int64_t t;
};

// Section 5.4.1 of the thesis: some ten seconds each; the others have no loops and get the same. Small ones have
// either fewer iterations or shorter ones, whichever leaves the shape.
constexpr std::array<row, 5> of_the_thesis{
    {{"FG", 10'000'000, 1}, {"CG", 960, 10'000}, {"RG", 10'000, 10'000}, {"IG", 2000, 10'000}, {"DG", 2000, 10'000}}};
constexpr std::array<row, 5> small{
    {{"FG", 200'000, 1}, {"CG", 96, 2000}, {"RG", 2500, 1000}, {"IG", 2000, 200}, {"DG", 2000, 200}}};

json parameters(const request& wanted) {
    const auto given = wanted.given.find("kind");
    const std::string kind = given != wanted.given.end() ? given->second : "FG";
    const auto& table = wanted.size == "small" ? small : of_the_thesis;
    const row& size = *std::find_if(table.begin(), table.end(), [&](const row& r) { return r.kind == kind; });
    return {{"kind", kind},
            {"n", given_or(wanted, "n", size.n)},
            {"t", given_or(wanted, "t", size.t)},
            {"poll", given_or(wanted, "poll", 0)},
            {"passes", given_or(wanted, "passes", 1)},
            {"seed", wanted.seed.value_or(1)}};
}

json known(const json& parameters) {
    return {{"sum", parameters.at("passes").get<std::uint64_t>() * sum_of_marks(parameters.at("n").get<std::uint64_t>())}};
}

}  // namespace

std::optional<loop_kind> loop_kind_named(std::string_view name) {
    const auto* const found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<loop_kind>(found - names.begin()));
}

double loop_shape::microseconds(std::uint64_t i) const noexcept {
    const auto part = [this](std::uint64_t of) {
        return n > 1 ? static_cast<double>(of) / static_cast<double>(n - 1) : 1.0;
    };
    switch (kind) {
        case loop_kind::fine:
        case loop_kind::coarse: return t;
        case loop_kind::random: {
            const std::uint32_t drawn = parley::base::rng((seed << 32U) + i).below(15);
            return drawn < 5 ? t / 10'000 : drawn < 9 ? t / 1000 : drawn < 12 ? t / 100 : drawn < 14 ? t / 10 : t;
        }
        case loop_kind::increasing: return 1.0 + (t - 1.0) * part(i);
        case loop_kind::decreasing: return 1.0 + (t - 1.0) * part(n - 1 - i);
    }
    return t;
}

program loop_program() {
    program p{};
    p.name = "loop";
    p.summary = "a loop of iterations that compute: fine, coarse, random, increasing or decreasing lengths";
    p.options = {{"kind", "fine, coarse, random, increasing or decreasing granularity", 0, 0,
                  std::vector<std::string>(names.begin(), names.end())},
                 {"n", "iterations; default: the kind's", 0, 100'000'000, {}},
                 {"t", "microseconds of the longest iterations; default: the kind's", 0, 1'000'000, {}},
                 {"poll", "microseconds after which an iteration polls, again and again; 0: never", 0, 1'000'000, {}},
                 {"passes", "times that the loop is run, one after the other", 1, 100, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_loop_job<loop_kernel>;
    p.has_loops = true;
    return p;
}

}  // namespace parley_programs::inline v0
