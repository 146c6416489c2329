// Uneven tasks over MPI ranks: how often a number halves or triples until it is 1 (Collatz). All of them are rank 0's;
// the others come and help.
//
//   mpirun -n 4 ./balance
#include <parley/cluster/mpi.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

struct stretch {
    std::uint64_t first, count;
};

std::uint64_t longest(const stretch& s) {
    std::uint64_t most = 0;
    for (std::uint64_t n = s.first; n < s.first + s.count; ++n) {
        std::uint64_t steps = 0;
        for (std::uint64_t x = n; x != 1; ++steps) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        most = steps > most ? steps : most;
    }
    return most;
}

int main(int argc, char** argv) {
    int provided = 0, rank = 0, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    std::vector<stretch> mine;
    for (std::uint64_t i = 1; rank == 0 && i <= 400; ++i) mine.push_back({i * i, i});
    parley::cluster::summary all;
    const std::vector<std::uint64_t> results = parley::cluster::balance(MPI_COMM_WORLD, mine, longest, {}, &all);

    for (std::size_t i = 0; i < mine.size(); ++i) wrong += results[i] != longest(mine[i]);
    if (rank == 0)
        std::printf("%llu tasks, %llu of them on other ranks, %d wrong\n",
                    static_cast<unsigned long long>(all.counts.tasks),
                    static_cast<unsigned long long>(all.counts.foreign), wrong);
    MPI_Finalize();
    return wrong == 0 ? 0 : 1;
}
