// Loops over blocks, steps and rectangles, over lists, and reductions into histograms: what docs/guide/loops.md and
// docs/guide/algorithms.md show, each beside a plain loop.
#include <parley/parley.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <list>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using numbers = std::vector<long>;

int differences = 0;

void expect(bool right, const char* what) {
    if (!right) std::printf("%s differ\n", what), ++differences;
}

long f(long x) { return x * x % 10; }

numbers some_numbers(std::size_t n) {
    numbers all(n);
    std::iota(all.begin(), all.end(), 3);
    return all;
}

void loops() {
    const std::size_t n = 1'000, rows = 20, columns = 50;
    const numbers in = some_numbers(n);
    numbers a(n), expected(n);
    std::transform(in.begin(), in.end(), expected.begin(), f);
    // [loops]
    parley::for_each_index(0, n, [&](std::size_t i) { a[i] = f(in[i]); });
    parley::for_each_index({rows, columns}, [&](std::size_t i, std::size_t j) {  // and three lengths
        a[i * columns + j] = f(in[i * columns + j]);
    });
    // [loops]
    expect(a == expected, "loops");

    numbers grid(n, 1), inner(n, 1);
    for (std::size_t i = 1; i < rows - 1; ++i)
        for (std::size_t j = 1; j < columns - 1; ++j) inner[i * columns + j] = 0;
    // [bounds]
    parley::for_each_index({1, 1}, {rows - 1, columns - 1}, [&](std::size_t i, std::size_t j) {
        grid[i * columns + j] = 0;
    });
    // [bounds]
    expect(grid == inner, "bounds");

    numbers marks(n, 0), third(n, 0);
    for (std::size_t i = n - 1; i < n; i -= 3) third[i] = 1;
    // [step]
    parley::for_each_index(n - 1, -1, -3, [&](std::size_t i) { marks[i] = 1; });  // n - 1, n - 4, ... down to 0 or more
    // [step]
    expect(marks == third, "steps");

    // [blocks]
    std::atomic<long> total = 0;
    parley::for_each_block(0, n, [&](std::size_t from, std::size_t to) {
        long sum = 0;  // each block has its own
        for (std::size_t i = from; i != to; ++i) sum += f(in[i]);
        total += sum;
    });
    // [blocks]
    expect(total == std::accumulate(expected.begin(), expected.end(), 0L), "blocks");

    std::list<std::string> words(n, "word");
    // [list]
    parley::for_each(words, [](std::string& w) { w += "s"; });
    // [list]
    expect(words == std::list<std::string>(n, "words"), "lists");
}

void algorithms() {
    numbers v = some_numbers(10'000), y(v.size());
    const long expected = std::accumulate(v.begin(), v.end(), 0L);
    // [algorithms]
    const long sum = parley::reduce(v);
    parley::transform(v.begin(), v.end(), y.begin(), [](long x) { return f(x); });
    parley::sort(y, std::greater<>{});
    // [algorithms]
    expect(sum == expected && std::is_sorted(y.rbegin(), y.rend()), "algorithms");

    // [copy-if]
    numbers even(v.size());
    even.erase(parley::copy_if(v, even.begin(), [](long x) { return x % 2 == 0; }), even.end());
    // [copy-if]
    expect(even.size() == v.size() / 2 && even.front() == 4, "copies");

    // [histogram]
    const numbers histogram = parley::reduce_into(
        v, [] { return numbers(10); },                                           // for each part that somebody takes
        [](numbers& counts, long x) { ++counts[static_cast<std::size_t>(f(x))]; },  // for each element
        [](numbers& counts, const numbers& right) {                              // for each part but one
            for (std::size_t d = 0; d < counts.size(); ++d) counts[d] += right[d];
        });
    // [histogram]
    numbers counted(10);
    for (const long x : v) ++counted[static_cast<std::size_t>(f(x))];
    expect(histogram == counted, "histograms");

    // [local]
    parley::worker_local<std::mt19937> random([] { return std::mt19937(std::random_device{}()); });
    parley::for_each(v, [&](long& x) { x = static_cast<long>(random.local()() % 6 + 1); });
    // [local]
    expect(std::all_of(v.begin(), v.end(), [](long x) { return x >= 1 && x <= 6; }), "dice");
}

}  // namespace

int main() {
    loops();
    algorithms();
    std::printf("%d differences\n", differences);
    return differences;
}
