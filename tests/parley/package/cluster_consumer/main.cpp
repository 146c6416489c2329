#include <parley/cluster/mpi.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

// One rank alone: no launcher needed.
int main() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    const std::vector<int> results =
        parley::cluster::balance(MPI_COMM_WORLD, std::vector<int>{19, 2}, [](int x) { return 2 * x; });
    MPI_Finalize();
    std::printf("%d from the cluster\n", std::accumulate(results.begin(), results.end(), 0));
}
