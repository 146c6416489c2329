// The programs of broker-pairs. BIAS's eight (§5): fft, fib, knapsack, nqueens and stress, coarse and fine, are the
// command's; a loop, coarse and fine, has iterations of fixed work here, since the command's fits it to a time in each
// process anew. Beside them short parallel phases between serial ones. Once takes some milliseconds to some hundred.
#pragma once

#include <parley/parley.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "lab/programs/program.hpp"

#ifdef PARLEY_WITH_OPENMP
#include <omp.h>
#endif

namespace broker_programs {

#ifdef PARLEY_WITH_OPENMP
inline constexpr bool has_openmp = true;
#else
inline constexpr bool has_openmp = false;
#endif

// As a program and its inputs may be typed: fib, fib=40, nqueens=14.
inline constexpr std::array names{"fft",       "fib",           "knapsack",    "nqueens", "loop-coarse",
                                  "loop-fine", "stress-coarse", "stress-fine", "phases"};
// BIAS figure 7 first.
inline constexpr std::array<std::pair<const char*, const char*>, 9> pairs{{{"loop-coarse", "loop-fine"},
                                                                           {"stress-coarse", "stress-fine"},
                                                                           {"loop-coarse", "loop-coarse"},
                                                                           {"loop-fine", "loop-fine"},
                                                                           {"fft", "knapsack"},
                                                                           {"fft", "fib"},
                                                                           {"fib", "nqueens"},
                                                                           {"fib", "phases"},
                                                                           {"phases", "phases"}}};

// The paper's inputs, or the smaller of two.
inline const std::map<std::string, std::pair<const char*, std::map<std::string, std::string>>>& of_the_command() {
    static const std::map<std::string, std::pair<const char*, std::map<std::string, std::string>>> table{
        {"fft", {"fft", {{"n", "120000"}}}},
        {"fib", {"fib", {{"n", "32"}}}},
        {"knapsack", {"knapsack", {{"n", "28"}}}},
        {"nqueens", {"nqueens", {{"n", "10"}}}},
        {"stress-coarse", {"stress", {{"grain", "coarse"}}}},
        {"stress-fine", {"stress", {{"grain", "fine"}}}}};
    return table;
}

// Work that no compiler takes away; about a nanosecond each.
[[gnu::noinline]] inline std::uint64_t spin(std::uint64_t n) {
    std::uint64_t x = n;
    for (std::uint64_t i = 0; i < n; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : : "r"(x));
    return x;
}

class program {
public:
    // The broker at `socket`; empty: none. `typed` has been checked.
    program(const std::string& typed, unsigned workers, const std::string& socket)
        : name_(typed.substr(0, typed.find('='))), workers_(workers) {
        setenv("PARLEY_BROKER", socket.empty() ? "off" : socket.c_str(), 1);
        const auto known = of_the_command().find(name_);
        if (known == of_the_command().end()) {
            if (name_ != "openmp-phases") home_ = std::make_unique<parley::runtime>(options_of(workers));
            return;
        }
        const auto& [command, inputs] = known->second;
        parley_programs::request wanted;
        wanted.given = inputs;
        if (name_ != typed) wanted.given["n"] = typed.substr(name_.size() + 1);
        const parley_programs::program& found = *parley_programs::find_program(command);
        parley_peers::setup setup;
        setup.workers = workers;
        job_ = found.make(found.parameters(wanted), "parley", setup);
    }

    // Seconds of the computation alone.
    double run() {
        if (job_) return job_->run().seconds;
        const auto begin = std::chrono::steady_clock::now();
        if (name_ == "openmp-phases") openmp_phases();
        else home_->run([this] { parallel(); });
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

private:
    static parley::options options_of(unsigned workers) {
        parley::options o;
        o.workers = workers;
        o.broker = std::getenv("PARLEY_BROKER");
        return o;
    }

    void parallel() const {
        if (name_ == "loop-coarse") loop(1, 32, 500'000);
        else if (name_ == "loop-fine") loop(20, 1'000, 500);
        else if (name_ == "phases") phases(40);
        else throw std::runtime_error("broker-pairs: there is no program " + name_);
    }

    static void loop(int times, int iterations, std::uint64_t length) {
        for (int t = 0; t < times; ++t) parley::for_each_index(0, iterations, [&](int) { (void)spin(length); });
    }
    static void phases(int times) {
        for (int t = 0; t < times; ++t) {
            (void)spin(50'000);
            (void)parley::fork_join([] { return spin(100'000); }, [] { return spin(100'000); });
        }
    }
    void openmp_phases() const {
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
    std::unique_ptr<parley_programs::job> job_;
    std::unique_ptr<parley::runtime> home_;
};

}  // namespace broker_programs
