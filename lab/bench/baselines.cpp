// Are the serial programs good ones? The ratios are ours / the other way; below 1.2 is a fair baseline.
// Usage: baselines [PAIRS]
#include "lab/bench/baselines.hpp"
#include "lab/bench/measure.hpp"
#include "lab/peers/serial.hpp"

#include <parley_build_info.hpp>

#include <cstdlib>
#include <fmt/core.h>

using namespace parley_programs;

int main(int argc, char** argv) {
    const int pairs = argc > 1 ? std::atoi(argv[1]) : 99;
    if (pairs < 5 || argc > 2) {
        fmt::print(stderr, "usage: baselines [PAIRS], at least 5\n");
        return 2;
    }
    fmt::print("{} pairs, {}, commit {}; medians with 95% intervals\n", pairs, PARLEY_COMPILER, PARLEY_COMMIT);
    std::uint64_t result = 0;
    const auto line = [](const char* name, const parley_bench::pair_of_runs& runs, double operations) {
        const auto ratio = runs.ratio();
        fmt::print("{:<44} {:.3f} [{:.3f}, {:.3f}], ours {:.1f} ns each\n", name, ratio.middle, ratio.low, ratio.high,
                   1e9 * parley_bench::median_interval(runs.first).middle / operations);
    };

    constexpr std::uint32_t length = 20'000;  // about a millisecond
    line("hash / OpenSSL's",
         parley_bench::interleave(
             pairs, [&] { return parley_bench::seconds([&] { result += parley_bench::chain_of_hashes(length)[0]; }); },
             [&] { return parley_bench::seconds([&] { result += parley_bench::chain_of_hashes_by_openssl(length)[0]; }); }),
         length);

    uts::tree tree = *uts::find_tree("T1");
    tree.depth_limit = 7;  // 64 thousand nodes: milliseconds
    const uts::branching_law law(tree);
    parley_peers::serial::pool pool(parley_peers::setup{});
    uts::searcher<parley_peers::serial> search(tree, pool);
    const auto nodes = static_cast<double>(search().nodes);
    line("uts by recursion / with an explicit stack",
         parley_bench::interleave(
             pairs, [&] { return parley_bench::seconds([&] { result += search().nodes; }); },
             [&] {
                 return parley_bench::seconds([&] {
                     with_best_sha1([&]<class Hash>(Hash) {
                         result += parley_bench::count_with_stack<Hash>(law, root_of(tree)).nodes;
                     });
                 });
             }),
         nodes);
    return result == 0 ? 1 : 0;  // or else the compiler finds that nobody wants it
}
