// A program that is linked with parley::broker, and keeps four workers busy until somebody ends it.
#include <parley/loop.hpp>
#include <parley/runtime.hpp>

#include <atomic>

int main() {
    parley::runtime all(parley::options::from_environment({.workers = 4}));
    std::atomic<unsigned> sum{0};
    all.run([&] {
        for (;;) parley::for_each_index(0, 1 << 20, [&](int i) { sum.fetch_add(static_cast<unsigned>(i)); });
    });
}
