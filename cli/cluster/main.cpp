// The program behind `parley cluster`: every rank runs it. Rank 0 alone prints and writes.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <parley/cluster/mpi.hpp>
#include <thread>

#include "cli/cluster/options.hpp"
#include "cli/cluster/report.hpp"
#include "cli/json_lines.hpp"
#include "cli/usage.hpp"

namespace {

using namespace parley_cli;
using parley::cluster::group;
using parley::cluster::medium;
using parley::cluster::position;

// All repetitions on one rank.
cluster_found run_on(group& g, const cluster_options& o) {
    cluster_found found{.ranks = g.ranks(), .workers = g.workers(), .runs = {}, .problem = {}};
    for (unsigned i = 0; i < o.repeat && found.problem.empty(); ++i) {
        const auto run = o.by_masters ? o.what->run_by_masters : o.what->run;
        found.runs.push_back(run(g, o.parameters));
        const std::string& mine = found.runs.back().problem;
        // All of them right, or rank 0 has a word for the others'.
        const bool same = g.all_say(mine.empty() ? 0 : 1);
        if (!mine.empty() || !same) found.problem = mine.empty() ? "another rank's results are wrong" : mine;
    }
    return found;
}

// Files are opened before anything runs.
class writing {
public:
    explicit writing(const cluster_options& o) : options_(o) {
        if (!o.json_file.empty()) lines_ = std::make_unique<json_lines>(o.json_file);
        if (o.trace_file.empty()) return;
        trace_.open(o.trace_file);
        if (!trace_) throw usage_error(fmt::format("parley cluster: {} cannot be written", shown(o.trace_file)));
    }
    int finish(const cluster_found& found) {
        if (lines_) {
            lines_->append(cluster_line(options_, found).dump());
            lines_->finish();
        }
        if (trace_.is_open() && !found.runs.empty()) {
            trace_ << cluster_trace(found) << '\n';
            if (!trace_.flush()) throw std::runtime_error("the timeline cannot be written");
        }
        if (options_.json_file != "-") fmt::print("{}", cluster_report(options_, found));
        if (found.problem.empty()) return exit_status::succeeded;
        fmt::print(stderr, "parley: wrong result: {}\n", found.problem);
        return exit_status::failed;
    }

private:
    const cluster_options& options_;
    std::unique_ptr<json_lines> lines_;
    std::ofstream trace_;
};

#ifndef PARLEY_SMPI
// Ranks that are threads. One that is lost on purpose ends with an error that is no news.
int run_local(const cluster_options& o) {
    writing out(o);
    parley::cluster::local_network net(o.local);
    std::vector<cluster_found> found(o.local);
    std::vector<std::string> thrown(o.local);
    std::vector<std::thread> ranks;
    for (position r = 0; r < o.local; ++r)
        ranks.emplace_back([&, r] {
            try {
                group g(std::make_unique<parley::cluster::local_medium>(net, r), o.how);
                found[r] = run_on(g, o);
            } catch (const std::exception& e) {
                thrown[r] = e.what();
            }
        });
    std::jthread losing([&](const std::stop_token& stop) {
        const auto begin = std::chrono::steady_clock::now();
        for (const lost& l : o.losses) {
            while (!stop.stop_requested() && std::chrono::steady_clock::now() - begin < std::chrono::duration<double>(l.at))
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (!stop.stop_requested()) net.lose(l.rank);
        }
    });
    for (std::thread& t : ranks) t.join();
    for (position r = 0; r < o.local; ++r) {
        const bool is_lost = std::ranges::find(o.losses, r, &lost::rank) != o.losses.end();
        if (!thrown[r].empty() && !is_lost) throw std::runtime_error(thrown[r]);
    }
    for (position r = 0; r < o.local; ++r)
        if (thrown[r].empty()) return out.finish(found[r]);
    throw std::runtime_error("every rank is lost");
}
#endif

int run_over_mpi(const cluster_options& o) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // Rank 0 opens the files, and all leave if it cannot.
    int status = exit_status::succeeded;
    std::unique_ptr<writing> out;
    try {
        if (rank == 0) out = std::make_unique<writing>(o);
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
        status = exit_status::bad_usage;
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (status != exit_status::succeeded) return status;
    cluster_found found;
    {
        group g(parley::cluster::over_mpi(MPI_COMM_WORLD), o.how);
        found = run_on(g, o);
    }
    if (out) return out->finish(found);
    return found.problem.empty() ? exit_status::succeeded : exit_status::failed;
}

// Before MPI is there, its launcher says which rank this is.
bool is_first_rank() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
        if (const char* rank = std::getenv(name)) return std::string_view(rank) == "0";
    return true;
}

int with_mpi(const cluster_options& o) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    int status = exit_status::failed;
    try {
        status = run_over_mpi(o);
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
#ifndef PARLEY_SMPI
        if (o->local > 0) return run_local(*o);
#endif
        return with_mpi(*o);
    } catch (const usage_error& error) {
        if (speaks) fmt::print(stderr, "{}\n", error.what());
        return exit_status::bad_usage;
    } catch (const std::exception& error) {
        if (speaks) fmt::print(stderr, "parley: {}\n", error.what());
        return exit_status::failed;
    }
}
