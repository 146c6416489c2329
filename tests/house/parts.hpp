// What a class of the runtime shows of its data: rules that keep worker and pool apart in parts.
#pragma once

#include "tests/house/rules.hpp"
#include "tests/house/source_tree.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace house {

// A data member of a class, and whether everybody may name it.
struct data_member {
    std::string name;
    bool is_public;
};

// Those that the class `name` declares in this text, its nested classes left out. Throws std::runtime_error if the text
// defines no such class.
std::vector<data_member> data_members_of(std::string_view text, const std::string& name);

// Functions of that class that everybody may call, by name, each once.
std::vector<std::string> public_functions_of(std::string_view text, const std::string& name);

// How the parts of a worker are reached: its public functions whose name ends in _part.
std::vector<std::string> ways_to_parts(const source_tree& tree);

// worker and pool have no public data members.
breaches public_data_breaches(const source_tree& tree);

// Of the library, the broker's client, the cluster and the laboratory, the files of runtime/ alone reach into a worker's
// parts, and so does what the laboratory compiles into them.
breaches part_breaches(const source_tree& tree);

// The header of each part says who may touch it before its first line of code: a thread, or anybody.
breaches owner_breaches(const source_tree& tree);

// The core of a pool has at most 15 data members, and neither a worker nor a pool nor a part of one inherits anything.
breaches core_breaches(const source_tree& tree);

}  // namespace house
