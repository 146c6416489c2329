// `parley sim cluster`: up to a million ranks that share tasks, in virtual time.
#pragma once

#include <lab/sim/virtual_ranks.hpp>
#include <parley/cluster/options.hpp>

#include <string>

#include "lab/command/sim/rank_tasks.hpp"
#include "lab/command/sim/study.hpp"

namespace parley_cli {

struct cluster_setting {
    parley_programs::json parameters;
    parley::cluster::options how;
    parley::sim::network net;
    rank_tasks what;
};

// Throws usage_error.
[[nodiscard]] cluster_setting cluster_setting_of(const study_options&);

// Which promise of the protocol was broken; empty: none.
[[nodiscard]] std::string broken_promise(const parley::sim::virtual_report&, const rank_tasks&);

[[nodiscard]] study cluster_study();

}  // namespace parley_cli
