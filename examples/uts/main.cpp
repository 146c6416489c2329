// Counts an unbalanced tree on all cores, and once more serially: uts [TREE]. What `make run` builds and runs. The search is
// the laboratory's, which `parley run uts` and `parley bench uts` measure on other schedulers, too.
#include <parley/parley.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "lab/peers/parley.hpp"
#include "lab/peers/serial.hpp"
#include "lab/programs/uts.hpp"

namespace {

using namespace parley_programs::uts;
using ull = unsigned long long;

template <class Scheduler>
std::pair<totals, double> search(const tree& which, typename Scheduler::pool& pool) {
    searcher<Scheduler> all(which, pool);
    const auto start = std::chrono::steady_clock::now();
    const totals found = pool.run([&] { return all(); });
    return {found, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

bool agree(const totals& one, const totals& other, const facts& known) {
    return one.nodes == other.nodes && one.depth == other.depth && one.leaves == other.leaves &&
           one.nodes == known.nodes.value_or(one.nodes) && one.depth == known.depth.value_or(one.depth) &&
           one.leaves == known.leaves.value_or(one.leaves);
}

// One line for each worker: a bar for its tasks, and how often it stole.
void print_workers(const parley_peers::parley::pool& pool) {
    constexpr std::size_t width = 30;
    const auto counts = pool.counts();
    std::uint64_t most = 1;
    for (const auto& c : counts) most = std::max(most, c.tasks);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::size_t filled = counts[i].tasks * width / most;
        std::string bar;
        for (std::size_t column = 0; column < width; ++column) bar += column < filled ? "\u2588" : " ";
        std::printf("  worker %3zu  %s %10llu tasks, %llu steals\n", i, bar.c_str(), static_cast<ull>(counts[i].tasks),
                    static_cast<ull>(counts[i].steals));
    }
}

int count(const tree& which) {
    parley_peers::setup setup;
    setup.workers = parley::options::from_environment().workers;
    if (setup.workers == 0) setup.workers = parley::default_workers();
    parley_peers::parley::pool pool(setup);
    const auto [found, seconds] = search<parley_peers::parley>(which, pool);
    parley_peers::serial::pool alone(setup);
    const auto [serially, serial_seconds] = search<parley_peers::serial>(which, alone);
    const bool is_right = agree(found, serially, which.known);

    std::printf("uts  tree %s, seed %u\n\n", std::string(which.name).c_str(), which.seed);
    std::printf("  nodes     %llu\n  depth     %llu\n  leaves    %llu\n", static_cast<ull>(found.nodes),
                static_cast<ull>(found.depth), static_cast<ull>(found.leaves));
    std::printf("  verified  %s\n\n", is_right ? "yes, against known facts and the serial program" : "NO");
    std::printf("  seconds   %.4g\n  serial    %.4g\n", seconds, serial_seconds);
    std::printf("  speedup   %.2f over serial, on %u worker%s\n\n", serial_seconds / seconds, pool.workers(),
                pool.workers() == 1 ? "" : "s");
    print_workers(pool);
    return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string name = argc > 1 ? argv[1] : "T1";
    const tree* which = find_tree(name);
    if (which == nullptr || argc > 2) {
        std::fprintf(stderr, "usage: uts [TREE], of");
        for (const tree& t : official_trees()) std::fprintf(stderr, " %s", std::string(t.name).c_str());
        std::fprintf(stderr, "\n");
        return 2;
    }
    try {
        return count(*which);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "uts: %s\n", error.what());
        return 1;
    }
}
