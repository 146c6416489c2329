// Litmus tests: small programs of which the literature says what may come out.
#pragma once

#include <lab/memory/operation.hpp>
#include <lab/memory/scene.hpp>

#include <atomic>
#include <string>
#include <vector>

namespace parley::memory {

struct instruction {
    does what = does::fence;  // a load, store, exchange, add or fence
    std::size_t location = 0;
    std::memory_order order = std::memory_order_relaxed;
    int value = 0;
};

struct litmus_program {
    std::vector<std::vector<instruction>> threads;
    std::vector<std::size_t> finals;  // locations of which the last value is part of the outcome
};

// Of a text as "x=1.rlx y?acq | y=1.rel f.sc x+1.sc x:1.sc; x y": threads of stores, loads, fences, additions and
// exchanges; behind them the locations that count at the end. Throws std::invalid_argument.
[[nodiscard]] litmus_program litmus_of(const std::string& text);

// The outcome is what each instruction that reads has read, and the final values.
[[nodiscard]] scene scene_of(const char* name, const char* text, std::vector<std::string> outcomes);

}  // namespace parley::memory
