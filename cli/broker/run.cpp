// `parley broker run -- COMMAND`.
#include "cli/usage.hpp"
#include "cli/verbs.hpp"

namespace parley_cli {

int broker_run_verb(arguments) { throw usage_error("parley broker: this build does not have 'broker run'"); }

}  // namespace parley_cli
