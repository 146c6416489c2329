#include <parley/cluster/mpi.hpp>

#include "cluster/command/connections.hpp"
#include "cluster/command/ranks.hpp"
#include "command/usage.hpp"

namespace parley_cli {

void check_for_these_ranks(const cluster_options& o) {
    if (o.local > 0) throw usage_error("parley cluster: --local is for real ranks: threads know no virtual time");
}

void prepare_watching() {}

struct watching::state {};
watching::watching(const cluster_options&, bool) {}
watching::~watching() = default;
void watching::follow(const repetitions&, cluster_writing*) {}
void watching::stop() {}

int run_local(const cluster_options&) { return exit_status::bad_usage; }

std::unique_ptr<parley::cluster::medium> world(const cluster_options& o) {
    auto ranks = parley::cluster::over_mpi(MPI_COMM_WORLD);
    if (o.connect_seconds == 0) return ranks;
    return std::make_unique<costly_connections>(std::move(ranks), o.connect_seconds);
}

}  // namespace parley_cli
