// Real processes over Open MPI or MPICH.
#include <parley/cluster/mpi.hpp>
#include <parley/cluster/mpi_medium.hpp>

#include <sched.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>

namespace parley::inline v0::cluster {
namespace {

using clock = std::chrono::steady_clock;
constexpr unsigned rounds_awake = 64;
constexpr std::chrono::microseconds nap{50};

// Ranks of one host side by side, on a host by the first processor that each may use.
MPI_Comm in_order_of_place(MPI_Comm comm) {
    int is_up = 0;
    MPI_Initialized(&is_up);
    if (is_up == 0) throw usage_error("parley: MPI_Init_thread() comes before a cluster");
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    int first = rank;
    MPI_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, host);
    MPI_Comm_free(&host);
    cpu_set_t may_use;
    std::size_t processor = 0;
    if (sched_getaffinity(0, sizeof(may_use), &may_use) == 0)
        while (processor < CPU_SETSIZE && !CPU_ISSET(processor, &may_use)) ++processor;
    MPI_Comm by_processor = MPI_COMM_NULL;
    MPI_Comm_split(comm, 0, static_cast<int>(processor), &by_processor);
    MPI_Comm ordered = MPI_COMM_NULL;
    MPI_Comm_split(by_processor, 0, first, &ordered);  // ties stay in order
    MPI_Comm_free(&by_processor);
    return ordered;
}

class real_mpi final : public mpi_medium {
public:
    explicit real_mpi(MPI_Comm comm) : mpi_medium(in_order_of_place(comm)) { MPI_Query_thread(&level_); }
    ~real_mpi() override {
        for (MPI_Request& r : headers_) MPI_Cancel(&r);
        MPI_Waitall(static_cast<int>(boxes), headers_.data(), MPI_STATUSES_IGNORE);
    }

    void pause(unsigned round) override {
        if (round < rounds_awake) std::this_thread::yield();
        else std::this_thread::sleep_for(nap);
    }
    [[nodiscard]] double now() override { return std::chrono::duration<double>(clock::now().time_since_epoch()).count(); }
    void compute(double seconds) override {
        const double end = now() + seconds;
        while (now() < end) {}
    }
    [[nodiscard]] bool serves_any_thread() const override { return level_ >= MPI_THREAD_SERIALIZED; }
    [[nodiscard]] bool serves_any_time() const override { return level_ == MPI_THREAD_MULTIPLE; }

private:
    int level_ = MPI_THREAD_SINGLE;
};

}  // namespace

std::unique_ptr<medium> over_mpi(MPI_Comm comm) { return std::make_unique<real_mpi>(comm); }

}  // namespace parley::inline v0::cluster
