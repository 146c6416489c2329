// What a program of the cluster is to those who run it: a name, options, and a run on a group of ranks.
#pragma once

#include <nlohmann/json.hpp>
#include <parley/cluster.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parley_programs::cluster {

using json = nlohmann::ordered_json;

// How an option's value is written, and what it is in JSON.
enum class unit {
    count,    // 500, 2k: a whole number
    seconds,  // 1s, 20ms, 5us: a number of seconds
    bytes,    // 64, 2k, 1M: a whole number of bytes, k = 1000
    word,     // one of `words`
};

struct option {
    std::string_view name;
    std::string_view help;
    unit kind = unit::count;
    std::string_view initial;
    std::vector<std::string> words = {};
};

// What one rank has to do with it.
struct share {
    parley::cluster::position rank = 0;
    std::uint64_t brought = 0;  // tasks
    double brought_work = 0;    // of them, in the program's own unit
    std::uint64_t ran = 0;      // tasks
    double busy_seconds = 0;
    std::vector<parley::cluster::stretch_of_work> timeline = {};  // where it is recorded
};

// One repetition. What concerns all ranks is the same on all of them.
struct outcome {
    double seconds = 0;         // from the first message to the moment when the last rank knew the end
    double ideal_seconds = 0;   // of the perfect schedule; 0: not known
    double serial_seconds = 0;  // of the serial program, on rank 0; 0: not run
    json result;
    std::string problem;  // of this rank's results; empty if they are right; rank 0 has a word for all ranks
    parley::cluster::statistics total;
    std::vector<share> shares;
};

struct program {
    std::string_view name;
    std::string_view summary;
    std::vector<option> options;
    // Collective. `parameters` has every option.
    outcome (*run)(parley::cluster::group&, const json& parameters);
    // The same by hierarchical master/worker over all of MPI's ranks; the group only gathers. Null: not for this one.
    outcome (*run_by_masters)(parley::cluster::group&, const json& parameters) = nullptr;
    // Throws std::invalid_argument for values that make no sense; null: all do.
    void (*check)(const json& parameters) = nullptr;
};

[[nodiscard]] const std::vector<program>& all_programs();

[[nodiscard]] program dlb_program();
[[nodiscard]] program uts_program();
[[nodiscard]] program nqueens_program();
[[nodiscard]] program chemistry_program();

// What every rank says, on every rank, in the order of the ranks. Collective.
[[nodiscard]] std::vector<share> gather(parley::cluster::group&, const share&);

}  // namespace parley_programs::cluster

template <>
struct parley::cluster::serializer<parley_programs::cluster::share> {
    using share = parley_programs::cluster::share;
    static void write(writer& w, const share& s) { w(s.rank, s.brought, s.brought_work, s.ran, s.busy_seconds, s.timeline); }
    static share read(reader& r) {
        share s;
        s.rank = r.get<position>();
        s.brought = r.get<std::uint64_t>();
        s.brought_work = r.get<double>();
        s.ran = r.get<std::uint64_t>();
        s.busy_seconds = r.get<double>();
        s.timeline = r.get<std::vector<stretch_of_work>>();
        return s;
    }
};
