// The programs of broker-pairs: loops and trees of coarse and fine grain (BIAS §5), fork-join trees without a cut-off,
// and short parallel phases between serial ones. One run takes some milliseconds to some tens of them.
#pragma once

#include <parley/parley.hpp>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#ifdef PARLEY_WITH_OPENMP
#include <omp.h>
#endif

namespace broker_programs {

#ifdef PARLEY_WITH_OPENMP
inline constexpr bool has_openmp = true;
#else
inline constexpr bool has_openmp = false;
#endif

inline constexpr std::array names{"loop-coarse", "loop-fine", "stress-coarse", "stress-fine", "fib", "queens", "phases"};
inline constexpr std::array<std::pair<const char*, const char*>, 7> pairs{{{"loop-coarse", "loop-coarse"},
                                                                           {"loop-coarse", "loop-fine"},
                                                                           {"loop-fine", "loop-fine"},
                                                                           {"stress-coarse", "stress-fine"},
                                                                           {"phases", "phases"},
                                                                           {"fib", "phases"},
                                                                           {"fib", "queens"}}};

// Work that no compiler takes away; about a nanosecond each.
[[gnu::noinline]] inline std::uint64_t spin(std::uint64_t n) {
    std::uint64_t x = n;
    for (std::uint64_t i = 0; i < n; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : : "r"(x));
    return x;
}

class program {
public:
    program(std::string name, unsigned workers, const std::string& socket)
        : name_(std::move(name)), workers_(workers), home_(options_of(workers, socket)) {}

    void run() {
        if (name_ == "openmp-phases") openmp_phases();
        else home_.run([&] { sum_ += parallel(); });
    }

private:
    static parley::options options_of(unsigned workers, const std::string& socket) {
        parley::options o;
        o.workers = workers;
        o.broker = socket;
        return o;
    }

    std::uint64_t parallel() {
        if (name_ == "loop-coarse") return loop(1, 32, 500'000);
        if (name_ == "loop-fine") return loop(20, 1'000, 500);
        if (name_ == "stress-coarse") return tree(5, 500'000);
        if (name_ == "stress-fine") return tree(14, 500);
        if (name_ == "fib") return fib(30);
        if (name_ == "queens") return queens(10, 0, 0, 0);
        if (name_ == "phases") return phases(40);
        throw std::runtime_error("broker-pairs: there is no program " + name_);
    }

    static std::uint64_t loop(int times, int iterations, std::uint64_t length) {
        for (int t = 0; t < times; ++t) parley::for_each_index(0, iterations, [&](int) { (void)spin(length); });
        return 0;
    }
    static std::uint64_t tree(int height, std::uint64_t leaf) {
        if (height == 0) return spin(leaf);
        const auto [a, b] = parley::fork_join([&] { return tree(height - 1, leaf); }, [&] { return tree(height - 1, leaf); });
        return a + b;
    }
    static std::uint64_t fib(unsigned n) {
        if (n < 2) return n;
        const auto [a, b] = parley::fork_join([&] { return fib(n - 1); }, [&] { return fib(n - 2); });
        return a + b;
    }
    static std::uint64_t queens(int n, std::uint32_t columns, std::uint32_t left, std::uint32_t right) {
        const std::uint32_t all = (1u << n) - 1;
        if (columns == all) return 1;
        std::array<std::uint64_t, 32> found{};
        parley::scope tasks;
        for (std::uint32_t free = all & ~(columns | left | right), i = 0; free != 0; free &= free - 1, ++i) {
            const std::uint32_t place = free & (~free + 1);
            tasks.spawn([=, &found] {
                found[i] = queens(n, columns | place, (left | place) << 1, (right | place) >> 1);
            });
        }
        tasks.wait();
        std::uint64_t sum = 0;
        for (const std::uint64_t f : found) sum += f;
        return sum;
    }
    static std::uint64_t phases(int times) {
        std::uint64_t sum = 0;
        for (int t = 0; t < times; ++t) {
            sum += spin(50'000);
            const auto [a, b] = parley::fork_join([] { return spin(100'000); }, [] { return spin(100'000); });
            sum += a + b;
        }
        return sum;
    }
    void openmp_phases() {
#ifdef PARLEY_WITH_OPENMP
        for (int t = 0; t < 40; ++t) {
            // Short loops, as many programs have them: their threads wait for each other at the end of each.
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(workers_))
            for (int i = 0; i < 8; ++i) (void)spin(10'000);
        }
#endif
    }

    std::string name_;
    unsigned workers_;
    parley::runtime home_;
    std::uint64_t sum_ = 0;
};

}  // namespace broker_programs
