#include "lab/programs/spawns.hpp"

#include <fmt/format.h>

#include "lab/programs/choice.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

template <class S>
class spawns_kernel {
public:
    spawns_kernel(const json& parameters, typename S::pool& pool) : tasks_(parameters.at("n").get<std::uint64_t>(), pool) {}
    std::uint64_t operator()() { return tasks_(); }
    static json describe(std::uint64_t tasks) { return {{"tasks", tasks}}; }
    json so_far() { return describe(tasks_.so_far()); }

private:
    empty_spawns<S> tasks_;
};

// "one million tasks" (thesis, section 2.7.2), whatever the size.
json parameters(const request& wanted) { return {{"n", given_or(wanted, "n", 1'000'000)}}; }

json known(const json& parameters) { return {{"tasks", parameters.at("n")}}; }

// With P workers, the time of all of them, P TP, takes the place of T1.
std::vector<std::string> remarks(const json& parameters, const figures& f) {
    const auto n = parameters.at("n").get<double>();
    if (n == 0.0) {
        return {};
    }
    const double time = f.seconds * f.workers;
    const std::string sum = f.workers == 1 ? "T1" : fmt::format("{0}*T{0}", f.workers);
    return {
        fmt::format("per task  {:.2f} ns = {}/n", time / n * 1e9, sum),
        fmt::format("          {:.2f} ns = ({} - TS)/n, TS being the serial time", (time - f.serial_seconds) / n * 1e9, sum),
        fmt::format("overhead  {:.2f} = {}/TS", time / f.serial_seconds, sum)};
}

}  // namespace

program spawns_program() {
    program p{};
    p.name = "spawns";
    p.summary = "a million tasks with nothing to do: what a spawn costs";
    p.options = {{"n", "tasks", 0, 1'000'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_job<spawns_kernel>;
    p.remarks = remarks;
    return p;
}

}  // namespace parley_programs::inline v0
