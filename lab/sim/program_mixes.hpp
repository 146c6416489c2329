// Programs that come together on one machine, drawn by a seed.
#pragma once

#include <lab/sim/virtual_programs.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace parley::inline v0::sim {

struct program_mix {
    std::string key;   // one word
    std::string name;  // for people
    std::vector<virtual_program> (*make)(std::uint64_t seed);
};

// alternating: two programs, each four times serial and wide in turn, one of them wide first; wide-and-serial: one of
// each; many: 24 that come within ten seconds, with one to six phases of any width; fixed: four whose width never changes.
[[nodiscard]] const std::vector<program_mix>& program_mixes();

}  // namespace parley::inline v0::sim
