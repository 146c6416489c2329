#include <parley/parley.hpp>

#include <cstdio>

int main() {
    auto [a, b] = parley::fork_join([] { return 40; }, [] { return 2; });
    std::printf("%d from parley %s\n", a + b, PARLEY_VERSION);
}
