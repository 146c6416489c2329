// The program of docs/guide/start.md.
// [program]
#include <parley/parley.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

long fib(int n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
    return a + b;
}

int main() {
    parley::future<long> number = parley::async(fib, 30);

    std::vector<std::size_t> squares(1000);
    parley::for_each_index(0, squares.size(), [&](std::size_t i) { squares[i] = i * i; });

    std::printf("fib(30) = %ld, 999 * 999 = %zu\n", number.get(), squares[999]);
}
// [program]
