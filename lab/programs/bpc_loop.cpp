#include "lab/programs/bpc_loop.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/loop_job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

template <class S>
class bpc_loop_kernel {
public:
    bpc_loop_kernel(const json& parameters, typename S::pool& pool)
        : tasks_(parameters.at("d").get<std::uint32_t>(), parameters.at("n").get<std::uint32_t>(),
                 busy_work(parameters.at("t").get<double>(), parameters.at("poll").get<double>()), pool) {}
    std::uint64_t operator()() { return tasks_(); }
    static json describe(std::uint64_t tasks) { return {{"tasks", tasks}}; }
    json so_far() { return describe(tasks_.so_far()); }

private:
    bundled_consumers<S> tasks_;
};

struct row {
    std::string_view size;
    std::int64_t d;
    std::int64_t n;
    std::int64_t t;
};

// Figure 5.16 a begins with n = 9 and goes on with fewer producers and more consumers; 5.16 b has t = 1. The
// others have no bundles and get the same.
constexpr std::array<row, 4> sizes{
    {{"small", 1000, 9, 10}, {"ch", 10'000, 9, 10}, {"thesis", 10'000, 9, 10}, {"ch6", 10'000, 9, 10}}};

json parameters(const request& wanted) {
    const row& size = row_of(wanted, sizes);
    return {{"d", given_or(wanted, "d", size.d)},
            {"n", given_or(wanted, "n", size.n)},
            {"t", given_or(wanted, "t", size.t)},
            {"poll", given_or(wanted, "poll", 0)}};
}

json known(const json& parameters) {
    const auto d = parameters.at("d").get<std::uint64_t>();
    const auto n = parameters.at("n").get<std::uint64_t>();
    return {{"tasks", d * (n + 1)}};
}

}  // namespace

program bpc_loop_program() {
    program p{};
    p.name = "bpc-loop";
    p.summary = "bpc with bundled consumers: each producer makes a producer and a loop of n iterations";
    p.options = {{"d", "producers, each made by the one before", 1, 100'000, {}},
                 {"n", "consumers: iterations of each producer's loop", 0, 1'000'000, {}},
                 {"t", "microseconds that each consumer computes", 0, 1'000'000, {}},
                 {"poll", "microseconds after which it polls, again and again; 0: never", 0, 1'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    // Loops inside tasks: OpenMP has its taskloop for them.
    p.make = make_loop_job<bpc_loop_kernel, parley_peers::built>;
    p.has_loops = true;
    return p;
}

}  // namespace parley_programs::inline v0
