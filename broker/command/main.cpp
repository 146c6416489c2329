// The program parley-broker: the verbs of `parley` that share the cores of a machine.
#include <fmt/format.h>

#include "command/run_main.hpp"
#include "command/verbs.hpp"

namespace {

using namespace parley_cli;

void print_help() {
    fmt::print(
        "parley-broker VERB [...]\n\n"
        "Called by parley, which says what the verbs do: broker, top.\n");
}

constexpr verb verbs[] = {{"broker", [](arguments all) { return broker_verb(all.subspan(1)); }},
                          {"top", [](arguments all) { return top_verb(all.subspan(1)); }}};

}  // namespace

int main(int argc, char** argv) { return run_main(argc, argv, verbs, print_help); }
