#include "lab/programs/bpc.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

template <class S>
class bpc_kernel {
public:
    bpc_kernel(const json& parameters, typename S::pool& pool)
        : tasks_(parameters.at("d").get<std::uint32_t>(), parameters.at("n").get<std::uint32_t>(),
                 busy_work(parameters.at("t").get<double>(), parameters.at("poll").get<double>()), pool) {}
    std::uint64_t operator()() { return tasks_(); }
    static json describe(std::uint64_t tasks) { return {{"tasks", tasks}}; }
    json so_far() { return describe(tasks_.so_far()); }

private:
    bouncing_producers<S> tasks_;
};

struct row {
    std::string_view size;
    std::int64_t d;
    std::int64_t n;
    std::int64_t t;
    std::int64_t poll;
};

// The 2014 paper has 10, 100 and 1000 us (section 3) and polls (section 3.3); the thesis has 100 us
// and polls once per microsecond in figure 3.12, and 1, 10 and 100 us in section 6.4, which does
// not speak of polling. Of several lengths the first is taken, the others with --t.
constexpr std::array<row, 4> sizes{
    {{"small", 1000, 9, 10, 0}, {"ch", 10'000, 9, 10, 1}, {"thesis", 10'000, 9, 100, 1}, {"ch6", 1000, 999, 1, 0}}};

json parameters(const request& wanted) {
    const row& size = row_of(wanted, sizes);
    return {{"d", given_or(wanted, "d", size.d)},
            {"n", given_or(wanted, "n", size.n)},
            {"t", given_or(wanted, "t", size.t)},
            {"poll", given_or(wanted, "poll", size.poll)}};
}

json known(const json& parameters) {
    const auto d = parameters.at("d").get<std::uint64_t>();
    const auto n = parameters.at("n").get<std::uint64_t>();
    return {{"tasks", d * (n + 1)}};
}

}  // namespace

program bpc_program() {
    program p{};
    p.name = "bpc";
    p.summary =
        "bouncing producer-consumer: each producer makes a producer and n tasks of t "
        "microseconds";
    // The serial program has all producers on its stack: d is at most what the papers have.
    p.options = {{"d", "producers, each made by the one before", 1, 100'000, {}},
                 {"n", "consumers that each producer makes", 0, 1'000'000, {}},
                 {"t", "microseconds that each consumer computes", 0, 1'000'000, {}},
                 {"poll", "microseconds after which it polls, again and again; 0: never", 0, 1'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_job<bpc_kernel>;
    return p;
}

}  // namespace parley_programs::inline v0
