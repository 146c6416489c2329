// parley broker run: gives a program that knows nothing of Parley an allotment of the broker.
#include <fmt/format.h>

#include "broker/command/leader.hpp"
#include "broker/command/run_options.hpp"
#include "command/verbs.hpp"

namespace parley_cli {

int broker_run_verb(arguments args) {
    const auto wanted = parse_led_run(args);
    if (!wanted) {
        return 0;
    }
    if (!wanted->socket) {
        if (wanted->verbose) {
            fmt::print(stderr, "parley broker run: PARLEY_BROKER is off\n");
        }
        become(wanted->command);
    }
    return leader(*wanted).lead();
}

}  // namespace parley_cli
