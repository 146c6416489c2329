#include "lab/programs/spc.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

template <class S>
class spc_kernel {
public:
    spc_kernel(const json& parameters, typename S::pool& pool)
        : tasks_(parameters.at("n").get<std::uint64_t>(),
                 busy_work(parameters.at("t").get<double>(), parameters.at("poll").get<double>()), pool) {}
    std::uint64_t operator()() { return tasks_(); }
    static json describe(std::uint64_t tasks) { return {{"tasks", tasks}}; }
    json so_far() { return describe(tasks_.so_far()); }

private:
    single_producer<S> tasks_;
};

struct row {
    std::string_view size;
    std::int64_t n;
    std::int64_t t;
};

// The 2014 paper has 10, 100 and 1000 us (section 3), the thesis 10 us in figure 3.10 and 1, 10 and
// 100 us in section 6.3: the first is taken, the others with --t. Nobody polls but for figure 3.15.
constexpr std::array<row, 4> sizes{
    {{"small", 20'000, 10}, {"ch", 100'000, 10}, {"thesis", 1'000'000, 10}, {"ch6", 1'000'000, 1}}};

json parameters(const request& wanted) {
    const row& size = row_of(wanted, sizes);
    return {
        {"n", given_or(wanted, "n", size.n)}, {"t", given_or(wanted, "t", size.t)}, {"poll", given_or(wanted, "poll", 0)}};
}

json known(const json& parameters) { return {{"tasks", parameters.at("n")}}; }

}  // namespace

program spc_program() {
    program p{};
    p.name = "spc";
    p.summary = "simple producer-consumer: one task makes n tasks of t microseconds";
    p.options = {{"n", "tasks", 0, 100'000'000, {}},
                 {"t", "microseconds that each of them computes", 0, 1'000'000, {}},
                 {"poll", "microseconds after which it polls, again and again; 0: never", 0, 1'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_job<spc_kernel>;
    return p;
}

}  // namespace parley_programs::inline v0
