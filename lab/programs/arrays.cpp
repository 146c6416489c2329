#include "lab/programs/arrays.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/loop_job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

array_size size_of(const json& parameters) {
    return {parameters.at("n").get<std::size_t>(), parameters.at("passes").get<std::uint32_t>()};
}

template <class S>
class saxpy_kernel {
public:
    saxpy_kernel(const json& parameters, typename S::pool&) : loops_(size_of(parameters)) {}
    void prepare() { loops_.prepare(); }
    bool operator()() {
        loops_();
        return true;
    }
    json describe(bool) const { return {{"sum", loops_.sum()}}; }
    static json so_far() { return nullptr; }

private:
    saxpy<S> loops_;
};

template <class S, class Sums>
class sums_kernel {
public:
    sums_kernel(const json& parameters, typename S::pool&) : loops_(size_of(parameters)) {}
    std::uint64_t operator()() { return loops_(); }
    static json describe(std::uint64_t sum) { return {{"sum", sum}}; }
    static json so_far() { return nullptr; }

private:
    Sums loops_;
};
template <class S>
class sum_kernel : public sums_kernel<S, array_sum<S>> {
    using sums_kernel<S, array_sum<S>>::sums_kernel;
};
template <class S>
class dot_kernel : public sums_kernel<S, dot_product<S>> {
    using sums_kernel<S, dot_product<S>>::sums_kernel;
};

struct row {
    std::string_view size;
    std::int64_t n;
    std::int64_t passes;
};

// The papers have no such loops. The arrays of small ones stay in the last cache.
constexpr std::array<row, 4> sizes{
    {{"small", 1'000'000, 200}, {"ch", 100'000'000, 10}, {"thesis", 100'000'000, 10}, {"ch6", 100'000'000, 10}}};

json parameters(const request& wanted) {
    const row& size = row_of(wanted, sizes);
    return {{"n", given_or(wanted, "n", size.n)}, {"passes", given_or(wanted, "passes", size.passes)}};
}

// By index, from the definition.
template <class Term>
json known_sum(const json& parameters, Term term) {
    const array_size size = size_of(parameters);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < size.n; ++i) {
        sum += term(i, std::uint64_t{size.passes});
    }
    return {{"sum", sum & sum_mask}};
}

program array_program(std::string_view name, std::string_view summary) {
    program p{};
    p.name = name;
    p.summary = summary;
    // Up to here the elements of saxpy are exact.
    p.options = {{"n", "elements of each array", 0, 100'000'000, {}},
                 {"passes", "how often the loop is run", 0, 500'000, {}}};
    p.parameters = parameters;
    p.has_loops = true;
    return p;
}

}  // namespace

program saxpy_program() {
    program p = array_program("saxpy", "y += a x, on arrays of n numbers, again and again");
    p.known = [](const json& parameters) {
        using on_serial = saxpy<parley_peers::serial>;
        return known_sum(parameters, [](std::size_t i, std::uint64_t passes) {
            return static_cast<std::uint64_t>(on_serial::y_at(i)) +
                   passes * static_cast<std::uint64_t>(on_serial::a * on_serial::x_at(i));
        });
    };
    p.make = make_loop_job<saxpy_kernel>;
    return p;
}

program sum_program() {
    program p = array_program("sum", "the sum of n numbers, again and again");
    p.known = [](const json& parameters) {
        return known_sum(parameters, [](std::size_t i, std::uint64_t passes) { return passes * mark(i); });
    };
    p.make = make_loop_job<sum_kernel>;
    return p;
}

program dot_program() {
    program p = array_program("dot", "the inner product of two arrays of n numbers, again and again");
    p.known = [](const json& parameters) {
        return known_sum(parameters, [](std::size_t i, std::uint64_t passes) {
            return passes * mark(i) * dot_product<parley_peers::serial>::factor(i);
        });
    };
    p.make = make_loop_job<dot_kernel>;
    return p;
}

}  // namespace parley_programs::inline v0
