// The program parley-lab: the verbs of `parley` that run, compare and simulate programs.
#include <fmt/format.h>

#include <lab/papers/from_outside.hpp>

#include "command/run_main.hpp"
#include "command/usage.hpp"
#include "command/verbs.hpp"

namespace {

using namespace parley_cli;

void print_help() {
    fmt::print(
        "parley-lab VERB [...]\n\n"
        "Called by parley, which says what the verbs do: run, bench, sim, info.\n");
}

// One that makes runtimes: with what the papers' protocol does not have it is used badly, as with what ours does not have.
template <auto Verb>
int run_with_runtimes(arguments all) {
    try {
        return Verb(all.subspan(1));
    } catch (const parley::papers::usage_error& error) {
        throw usage_error(error.what());
    }
}

constexpr verb verbs[] = {{"run", run_with_runtimes<run_verb>},
                          {"bench", run_with_runtimes<bench_verb>},
                          {"sim", [](arguments all) { return sim_verb(all.subspan(1)); }},
                          {"info", [](arguments all) { return info_verb(all.subspan(1)); }}};

}  // namespace

int main(int argc, char** argv) { return run_main(argc, argv, verbs, print_help); }
