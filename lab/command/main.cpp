// The program parley-lab: the verbs of `parley` that run, compare and simulate programs.
#include <fmt/format.h>

#include "command/run_main.hpp"
#include "command/verbs.hpp"

namespace {

using namespace parley_cli;

void print_help() {
    fmt::print("parley-lab VERB [...]\n\n"
               "Called by parley, which says what the verbs do: run, bench, sim, info.\n");
}

constexpr verb verbs[] = {
    {"run", [](arguments all) { return run_verb(all.subspan(1)); }},
    {"bench", [](arguments all) { return bench_verb(all.subspan(1)); }},
    {"sim", [](arguments all) { return sim_verb(all.subspan(1)); }},
    {"info", [](arguments all) { return info_verb(all.subspan(1)); }}};

}  // namespace

int main(int argc, char** argv) { return run_main(argc, argv, verbs, print_help); }
