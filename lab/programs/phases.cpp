#include "lab/programs/phases.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/loop_job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

phases_shape shape_of(const json& parameters) {
    return {parameters.at("kind") == "memory" ? phase_kind::memory : phase_kind::compute,
            parameters.at("n").get<std::size_t>(), parameters.at("passes").get<std::uint32_t>(),
            parameters.at("ns").get<double>()};
}

template <class S>
class phases_kernel {
public:
    phases_kernel(const json& parameters, typename S::pool&) : phases_(shape_of(parameters)) {}
    void prepare() { phases_.prepare(); }
    bool operator()() {
        phases_();
        return true;
    }
    json describe(bool) const { return {{"sum", phases_.sum()}}; }
    static json so_far() { return nullptr; }

private:
    array_phases<S> phases_;
};

// The papers have no such loops: their sizes are those of small, with ten times as many passes.
json parameters(const request& wanted) {
    const auto given = wanted.given.find("kind");
    const std::string kind = given != wanted.given.end() ? given->second : "memory";
    const bool is_memory = kind == "memory";
    const std::int64_t longer = wanted.size == "small" ? 1 : 10;
    return {{"kind", kind},
            {"n", given_or(wanted, "n", is_memory ? 200'000 : 1000)},
            {"passes", given_or(wanted, "passes", longer * (is_memory ? 2000 : 1000))},
            {"ns", given_or(wanted, "ns", is_memory ? 0 : 50)}};
}

std::string complaint(const json& parameters) {
    const auto ns = parameters.at("ns").get<std::int64_t>();
    return ns == 0 || parameters.at("kind") == "compute"
               ? ""
               : "--ns: '" + std::to_string(ns) + "' is not allowed with --kind memory; allowed: 0";
}

// All passes in one step, modulo 2^32: x becomes a x + c.
json known(const json& parameters) {
    const phases_shape shape = shape_of(parameters);
    std::uint32_t a = 1, c = 0;
    for (std::uint32_t pass = 0; pass < shape.passes; ++pass) {
        a *= next_element(1) - next_element(0);
        c = next_element(c);
    }
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < shape.n; ++i) {
        sum += a * mark(i) + c;
    }
    return {{"sum", sum}};
}

}  // namespace

program phases_program() {
    program p{};
    p.name = "phases";
    p.summary = "short passes over an array, one after another, with memory traffic or without";
    p.options = {
        {"kind", "memory: bodies read and write an element; compute: they compute first", 0, 0, {"memory", "compute"}},
        {"n", "elements; default: the kind's", 0, 100'000'000, {}},
        {"passes", "how many; default: the kind's", 0, 10'000'000, {}},
        {"ns", "nanoseconds that a body computes, of compute; default: the kind's", 0, 1'000'000, {}}};
    p.parameters = parameters;
    p.complaint = complaint;
    p.known = known;
    p.make = make_phases_job<phases_kernel>;
    p.has_loops = true;
    p.has_phases = true;
    p.loops = [](const json& parameters) { return parameters.at("passes").get<std::uint64_t>(); };
    return p;
}

}  // namespace parley_programs::inline v0
