// The compiler warns of each result that must not be dropped: one on each line from 17 on.
#include <parley/algorithm.hpp>
#include <parley/farm.hpp>
#include <parley/parley.hpp>

#include <functional>
#include <vector>

int main() {
    std::vector<int> v(9, 1);
    const auto f = [] { return 1; };
    const auto g = [](int i) { return i + 1; };
    const auto h = [](int) {};
    parley::worker_local<int> locals;
    const auto passes = parley::stage(g);

    parley::async(f);
    parley::when_all(parley::async(f));
    parley::source(v) | parley::farm(g) | parley::sink(h);
    passes | passes;
    parley::farm(g);
    parley::reduce(v.begin(), v.end(), 0);
    parley::find(v.begin(), v.end(), 1);
    locals.combine(0, std::plus<>{});
    parley::blocking_region();
}
