// What an execution was, as its process leaves it to the explorer in memory that both share.
#pragma once

#include <lab/explore/point.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::explore {

inline constexpr unsigned most_threads = 16;
inline constexpr std::uint32_t most_steps_of_log = 1U << 16;

// At one step of an execution another thread goes on than the one that would by itself.
struct deviation {
    std::uint32_t step;
    std::uint8_t thread;
    friend bool operator==(const deviation&, const deviation&) = default;
};
using schedule = std::vector<deviation>;

struct step {
    std::uint8_t thread;
    does what;
    std::uint8_t next;       // who goes on
    std::uint8_t by_itself;  // who would have without a deviation
    bool may_deviate;        // in the part of the scene that is explored
    std::uint32_t object;    // by the order in which the execution came to them
    std::uint16_t ready;     // a bit of each thread that could have gone on
    std::uint16_t sleeping;  // and of each whose sleep ends by itself, some time
    const void* where;       // in the program
};

enum class verdict : std::uint8_t {
    none,  // the process has ended before the scene
    fine,
    wrong,  // check() says so
    deadlock,
    endless,
    diverged,  // the schedule is not one of this scene
};

struct report {
    verdict how;
    std::array<char, 4096> text;
    std::uint32_t steps;
    std::array<step, most_steps_of_log> log;
};

// A random execution, by a seed that is not 0.
struct randomness {
    std::uint64_t seed = 0;
    std::uint32_t changes = 0;  // of priorities
    std::uint32_t length = 0;   // of the part in which they are made
};

}  // namespace parley::explore
