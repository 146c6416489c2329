// The program behind `parley cluster`: every rank runs it. Rank 0 alone prints and writes.
#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <parley/cluster.hpp>
#include <parley/detail/base/environment.hpp>
#include <string_view>
#include <vector>

#include "cluster/command/options.hpp"
#include "cluster/command/ranks.hpp"
#include "command/usage.hpp"

namespace {

using namespace parley_cli;

int run_over_mpi(const cluster_options& o, watching& watch) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // Rank 0 opens the files, and all leave if it cannot.
    int status = exit_status::succeeded;
    std::unique_ptr<cluster_writing> out;
    try {
        if (rank == 0) out = std::make_unique<cluster_writing>(o);
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
        status = exit_status::bad_usage;
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (status != exit_status::succeeded) return status;
    repetitions all(o);
    {
        watch.follow(all, out.get());
        const struct stopping {
            watching& watch;
            ~stopping() { watch.stop(); }
        } at_the_end{watch};
        parley::cluster::group g(world(o), o.how);
        all.run(g);
    }
    const cluster_found found = all.found();
    if (out) return out->finish(found);
    return found.problem.empty() ? exit_status::succeeded : exit_status::failed;
}

// Before MPI is there, its launcher says which rank this is.
bool is_first_rank() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
        if (const char* rank = parley::base::environment_variable(name)) return std::string_view(rank) == "0";
    return true;
}

int with_mpi(const cluster_options& o, bool speaks) {
    watching watch(o, speaks);
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    int status = exit_status::failed;
    try {
        status = run_over_mpi(o, watch);
    } catch (const std::exception& e) {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0) fmt::print(stderr, "{}\n", e.what());
        const bool is_usage = dynamic_cast<const parley::usage_error*>(&e) != nullptr;
        status = is_usage ? exit_status::bad_usage : exit_status::failed;
    }
    MPI_Finalize();
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<const char*> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const bool speaks = is_first_rank();
    try {
        const std::optional<cluster_options> o = parse_cluster(arguments, speaks);
        if (!o) return exit_status::succeeded;
        check_for_these_ranks(*o);
        prepare_watching();
        return o->local > 0 ? run_local(*o) : with_mpi(*o, speaks);
    } catch (const usage_error& error) {
        if (speaks) fmt::print(stderr, "{}\n", error.what());
        return exit_status::bad_usage;
    } catch (const std::exception& error) {
        if (speaks) fmt::print(stderr, "parley: {}\n", error.what());
        return exit_status::failed;
    }
}
