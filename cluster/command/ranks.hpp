// What real ranks do and simulated ones cannot: real_ranks.cpp, or simulated_ranks.cpp under SMPI, where all ranks are
// in one thread of one process.
#pragma once

#include <memory>

#include "cluster/command/options.hpp"
#include "cluster/command/repetitions.hpp"
#include "cluster/command/writing.hpp"

namespace parley_cli {

// Throws usage_error for options that these ranks cannot follow.
void check_for_these_ranks(const cluster_options&);

// Before any thread starts.
void prepare_watching();

// As long as it lives: signals end the process, with a word of rank 0's, which also says how far it is.
class watching {
public:
    // `speaks`: whether this is rank 0.
    watching(const cluster_options&, bool speaks);
    ~watching();
    watching(const watching&) = delete;
    watching& operator=(const watching&) = delete;

    // `out`: of the rank that writes, else null. Both live as long as this does.
    void follow(const repetitions&, cluster_writing* out);
    // The run is over. Signals still end the process.
    void stop();

private:
    struct state;
    std::unique_ptr<state> state_;
};

// Ranks that are threads of this process. Returns the exit status.
int run_local(const cluster_options&);

// The ranks of MPI_COMM_WORLD.
[[nodiscard]] std::unique_ptr<parley::cluster::medium> world(const cluster_options&);

}  // namespace parley_cli
