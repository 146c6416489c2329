#include "lab/programs/fib.hpp"

#include <fmt/format.h>

#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

std::uint64_t fib_inlined(unsigned n) { return n < 2 ? n : fib_inlined(n - 1) + fib_inlined(n - 2); }

std::uint64_t fib_by_iteration(unsigned n) noexcept {
    std::uint64_t now = 0;
    std::uint64_t next = 1;
    for (; n > 0; --n) {
        now = std::exchange(next, now + next);
    }
    return now;
}

std::uint64_t forks_of_fib(unsigned n) noexcept {
    // forks(n) = 1 + forks(n - 1) + forks(n - 2), none below 2; hence fib(n + 1) - 1.
    return fib_by_iteration(n + 1) - 1;
}

namespace {

unsigned n_of(const json& parameters) { return parameters.at("n").get<unsigned>(); }

template <class S>
class fib_kernel {
public:
    fib_kernel(const json& parameters, typename S::pool&) : n_(n_of(parameters)) {}
    std::uint64_t operator()() const {
        if constexpr (parley_peers::in_rust<S>) {
            return S::fib(n_);
        } else {
            return fib<S>(n_);
        }
    }
    static json describe(std::uint64_t value) { return {{"value", value}}; }
    static json so_far() { return nullptr; }

private:
    unsigned n_;
};

template <class S>
class inlined_kernel : public fib_kernel<S> {
public:
    inlined_kernel(const json& parameters, typename S::pool& pool) : fib_kernel<S>(parameters, pool), n_(n_of(parameters)) {}
    std::uint64_t operator()() const { return fib_inlined(n_); }

private:
    unsigned n_;
};

// small: some 6 million forks, which is a second or less on the slowest of the known schedulers.
// The other papers have no fib; 40 is the BIAS paper's.
json parameters(const request& wanted) {
    const auto given = wanted.given.find("n");
    const std::int64_t n = given != wanted.given.end() ? std::stoll(given->second) : wanted.size == "small" ? 33 : 40;
    return {{"n", n}};
}

json known(const json& parameters) { return {{"value", fib_by_iteration(n_of(parameters))}}; }

std::unique_ptr<job> make_inlined(const json& parameters) {
    return std::make_unique<job_of<parley_peers::serial, inlined_kernel>>(parameters, parley_peers::setup{});
}

// With one worker these are T1 / forks and (T1 - TS) / forks; with P workers, the time of all of
// them, P TP, takes the place of T1.
std::vector<std::string> remarks(const json& parameters, const figures& f) {
    const std::uint64_t forks = forks_of_fib(n_of(parameters));
    if (forks == 0) {
        return {};
    }
    const double ns_per_fork = 1e9 / static_cast<double>(forks);
    const double time = f.seconds * f.workers;
    const std::string sum = f.workers == 1 ? "T1" : fmt::format("{0}*T{0}", f.workers);
    std::vector<std::string> lines{fmt::format("forks     {}", forks),
                                   fmt::format("per fork  {:.2f} ns = {}/forks", time * ns_per_fork, sum),
                                   fmt::format("          {:.2f} ns = ({} - TS)/forks, TS being the serial time",
                                               (time - f.serial_seconds) * ns_per_fork, sum),
                                   fmt::format("          {:.2f} = {}/TS", time / f.serial_seconds, sum)};
    if (f.serial_inlined_seconds) {
        lines.push_back(
            fmt::format("inlined   {:.4g}  (serial, where the compiler may inline "
                        "fib into itself)",
                        *f.serial_inlined_seconds));
    }
    return lines;
}

}  // namespace

program fib_program() {
    program p{};
    p.name = "fib";
    p.summary = "Fibonacci number by forking twice per call: what a fork costs";
    p.options = {{"n", "which Fibonacci number", 0, 60, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_forking_job_also_in_rust<fib_kernel>;
    p.forks = true;
    p.is_in_rust = true;
    p.make_inlined = make_inlined;
    p.remarks = remarks;
    return p;
}

}  // namespace parley_programs::inline v0
