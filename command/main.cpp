// The command `parley`: what people type. Each verb is another program's, so that nobody who only wants the broker needs
// what the benchmarks need.
#include <fmt/format.h>

#include "command/hand_over.hpp"
#include "command/info.hpp"
#include "command/run_main.hpp"
#include "command/verbs.hpp"

namespace {

using namespace parley_cli;

void print_help() {
    fmt::print(
        "parley VERB [...]\n\n"
        "  run PROGRAM   run a program in parallel, check its result, measure it\n"
        "  bench         run programs on several schedulers in turn, compare them\n"
        "  sim           run a program's tasks on virtual workers in virtual time\n"
        "  cluster       run a program on MPI ranks that share its tasks (under mpirun)\n"
        "  broker        share this machine's cores between the programs that run on it\n"
        "  broker run    run a command on the cores that a broker gives it\n"
        "  top           show who has which cores, and why\n"
        "  info          what was built, on what machine, how many workers and why\n\n"
        "More about each: parley VERB --help\n"
        "Exit status: 0; 1 failed or wrong result; 2 bad usage; 130 interrupted\n");
}

int to_lab(arguments all) { return hand_over(all.front(), "parley-lab", "the package parley-lab", all); }
int to_broker(arguments all) { return hand_over(all.front(), "parley-broker", "the package parley-broker", all); }
int to_cluster(arguments all) {
    return hand_over(
        all.front(), "parley-cluster",
        "the package parley-cluster, and where there is an MPI when Parley is built (libopenmpi-dev or libmpich-dev)",
        all.subspan(1));
}
// The laboratory knows the schedulers of this build, too.
int info(arguments all) { return is_beside("parley-lab") ? to_lab(all) : print_info(all.subspan(1), {}); }

constexpr verb verbs[] = {{"run", to_lab},       {"bench", to_lab},  {"sim", to_lab}, {"cluster", to_cluster},
                          {"broker", to_broker}, {"top", to_broker}, {"info", info}};

}  // namespace

int main(int argc, char** argv) { return run_main(argc, argv, verbs, print_help); }
