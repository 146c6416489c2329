// Words of the library on little work of 0.3 us to 1 ms, for `parley bench --suite small`. Each stands beside its serial
// program, and beside what oneTBB, OpenMP, rayon and chili have for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace parley_programs::small {

using work = std::function<void(std::size_t n)>;

struct way {
    const char* scheduler;
    work run;
    // Calls `inside` where `run` may be called, on a pool of so many workers; empty: anywhere. The pool lives no longer,
    // so its threads disturb nobody else.
    std::function<void(unsigned workers, const std::function<void()>& inside)> enter = {};
};

struct row {
    const char* name;
    std::vector<std::size_t> sizes;
    // Makes the data of one call. Other rounds have other numbers: a processor learns how to sort some hundred numbers that
    // it has sorted before.
    std::function<void(std::size_t n, std::uint64_t round)> prepare;
    work serial;
    std::vector<way> ways;  // Parley's is the first
    // The result of the last call, or a number made of it.
    std::function<std::uint64_t(std::size_t n)> result;
};

[[nodiscard]] std::vector<row> all_rows();

// Computes for so long, as a program that goes on by itself, not as one that sleeps.
void compute_for(double us);

}  // namespace parley_programs::small
