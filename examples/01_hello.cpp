// The four words that most programs need.
#include <parley/parley.hpp>

#include <atomic>
#include <cstdio>

int fib(int n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
    return a + b;
}

int main() {
    std::atomic<int> spawned{0};
    int squares[100];
    // [readme]
    // Both may run in parallel; their results come back in order, their exceptions come out here.
    const auto [a, b] = parley::fork_join([] { return fib(20); }, [] { return fib(21); });
    // A call whose result is fetched later: get() helps others while it waits.
    parley::future<int> sum = parley::async([](int x, int y) { return x + y; }, a, b);
    // Any number of tasks that end together.
    parley::scope tasks;
    for (int i = 0; i < 1000; ++i) tasks.spawn([&] { ++spawned; });
    tasks.wait();
    // A loop whose iterations may run in any order, each once; no chunk size to choose.
    parley::for_each_index(0, 100, [&](int i) { squares[i] = i * i; });
    // [readme]
    const int total = sum.get();
    std::printf("fib(20) + fib(21) = %d\n%d tasks\n99 * 99 = %d\n", total, spawned.load(),
                squares[99]);
    return total == 17'711 && spawned == 1000 && squares[99] == 9'801 ? 0 : 1;
}
