// How a program's options and sizes become its parameters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// The number that the user gave for an option, else that of the size.
[[nodiscard]] inline std::int64_t given_or(const request& wanted, const std::string& option, std::int64_t of_size) {
    const auto given = wanted.given.find(option);
    return given != wanted.given.end() ? std::stoll(given->second) : of_size;
}

// One row of a program's table of sizes: `size` is its name.
template <class Row, std::size_t Rows>
[[nodiscard]] const Row& row_of(const request& wanted, const std::array<Row, Rows>& table) {
    return *std::find_if(table.begin(), table.end(), [&](const Row& row) { return row.size == wanted.size; });
}

}  // namespace parley_programs::inline v0
