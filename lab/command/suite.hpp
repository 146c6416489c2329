// Prepared lists of programs for `parley bench --suite`.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "lab/command/bench_options.hpp"

namespace parley_cli {

struct suite {
    std::string name;
    std::vector<bench_entry> entries;
    std::vector<std::string> schedulers;  // of this build; empty: all that a program runs on
    std::vector<unsigned> workers;
    std::vector<std::string> unbuilt;  // others that it would compare, too
};

// Has the suite compare those of the wanted schedulers that this build has, on one worker and on all processors.
void compare_on(suite& s, std::initializer_list<const char*> wanted, unsigned processors);

[[nodiscard]] std::vector<std::string> suite_names();

// Throws usage_error if there is none of that name, or not of that size. `processors` is how many workers the largest
// runs have.
[[nodiscard]] suite suite_named(const std::string& name, const std::string& size, unsigned processors);

}  // namespace parley_cli
