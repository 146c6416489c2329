// The programs as virtual workers run them: what they spawn, await and compute for how long, without data. The same
// parameters as of the real ones (program.hpp); where these say how long a task computes, that may have a fraction.
#pragma once

#include <lab/sim/timed/costs.hpp>
#include <lab/sim/timed/shape.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lab/programs/program.hpp"

namespace parley_programs::shapes {

namespace timed = parley::sim::timed;
using timed::activity;
using timed::deed;
using timed::next_deed;
using timed::task_words;

class shape : public timed::shape {
public:
    // Keys and values as of the real program's result, as far as they tell of tasks.
    [[nodiscard]] virtual json result() const = 0;
};

// Null if the program has none.
[[nodiscard]] std::unique_ptr<shape> shape_of(std::string_view program, const json& parameters, const timed::costs& machine);

[[nodiscard]] const std::vector<std::string>& names();

// Each in the file of its name.
[[nodiscard]] std::unique_ptr<shape> spc(const json& parameters);
[[nodiscard]] std::unique_ptr<shape> bpc(const json& parameters);
[[nodiscard]] std::unique_ptr<shape> bpc_loop(const json& parameters);
[[nodiscard]] std::unique_ptr<shape> treerec(const json& parameters);
[[nodiscard]] std::unique_ptr<shape> uts(const json& parameters, const timed::costs& machine);
[[nodiscard]] std::unique_ptr<shape> nqueens(const json& parameters, const timed::costs& machine);
[[nodiscard]] std::unique_ptr<shape> loop(const json& parameters);
[[nodiscard]] std::unique_ptr<shape> matmul(const json& parameters, const timed::costs& machine);
[[nodiscard]] std::unique_ptr<shape> matmul_loop(const json& parameters, const timed::costs& machine);
[[nodiscard]] std::unique_ptr<shape> lu(const json& parameters, const timed::costs& machine);
[[nodiscard]] std::unique_ptr<shape> cilksort(const json& parameters, const timed::costs& machine);
[[nodiscard]] std::unique_ptr<shape> quicksort(const json& parameters, const timed::costs& machine);

[[nodiscard]] inline timed::duration microseconds(const json& parameters, const char* key) {
    return std::llround(parameters.at(key).get<double>() * 1e6);
}

[[nodiscard]] inline next_deed works(timed::duration length) { return {.what = deed::work, .length = length}; }
[[nodiscard]] inline next_deed makes(deed what, std::uint32_t kind, const task_words& words = {}) {
    return {.what = what, .kind = kind, .words = words};
}
// `compare`: of an element in one of log n levels.
[[nodiscard]] inline next_deed sorts_serially(std::uint64_t n, timed::duration compare) {
    return works(static_cast<timed::duration>(n) * static_cast<timed::duration>(std::bit_width(n)) * compare);
}

}  // namespace parley_programs::shapes
