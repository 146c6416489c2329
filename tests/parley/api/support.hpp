// What the tests of the words for users share.
#pragma once

#include "tests/build_kind.hpp"
#include "tests/hang_detector.hpp"

#include <parley/parley.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace api_test {

using parley_tests::is_sanitized;

// How often a stress repeats: sanitizers slow it down tenfold and more.
constexpr std::size_t times(std::size_t n) { return is_sanitized ? (n + 9) / 10 : n; }

// One worker, one thief, an odd number, and more than the two cores that the tests are written for.
inline constexpr std::array<unsigned, 4> worker_counts = {1, 2, 3, 8};

// Calls body(runtime) with a fresh runtime of each size.
template <class Body>
void with_each_size(Body body) {
    for (const unsigned n : worker_counts) {
        SCOPED_TRACE("workers: " + std::to_string(n));
        parley::runtime rt{{.workers = n, .complain_after = parley_tests::complain_after}};
        body(rt);
        if (testing::Test::HasFatalFailure()) return;
    }
}

// Spins until the condition holds, serving others meanwhile; the core is left to them, too.
template <class Condition>
void poll_until(Condition condition) {
    while (!condition()) {
        parley::poll();
        std::this_thread::yield();
    }
}

// fork_join whose second call is certainly taken by another worker: the first one waits for that.
// Only with two workers or more.
template <class F, class G>
auto forked_elsewhere(F&& f, G&& g) {
    std::atomic<bool> taken{false};
    return parley::fork_join(
        [&]() -> decltype(f()) {
            poll_until([&] { return taken.load(); });
            return f();
        },
        [&]() -> decltype(g()) {
            taken = true;
            return g();
        });
}

// The exception that tasks of these tests throw.
struct boom : std::runtime_error {
    explicit boom(int n = 0) : std::runtime_error("boom"), number(n) {}
    int number;
};

// How many `counted` are alive. Each test has its own, which outlives the runtime.
using tally = std::atomic<long>;

// Counts itself, so that a test sees what was not destroyed. Not trivially copyable.
class counted {
public:
    explicit counted(tally& t) noexcept : alive_(&t) { ++*alive_; }
    counted(const counted& other) noexcept : alive_(other.alive_) { ++*alive_; }
    counted(counted&& other) noexcept : alive_(other.alive_) { ++*alive_; }
    counted& operator=(const counted&) = delete;
    counted& operator=(counted&&) = delete;
    ~counted() { --*alive_; }

private:
    tally* alive_;
};

// Calls body(0) to body(n - 1), each in a thread of its own, and returns when all have returned.
template <class Body>
void in_threads(unsigned n, Body body) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < n; ++i) threads.emplace_back([&body, i] { body(i); });
    for (std::thread& t : threads) t.join();
}

// Does the calling worker run something isolated?
inline bool is_isolated() { return parley::threading::current->is_isolated(); }

inline std::uint64_t serial_fib(unsigned n) { return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2); }

inline std::uint64_t fib(unsigned n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return a + b;
}

inline constexpr std::array<unsigned, 3> several = {2, 3, 8};

// Blocks this thread: serves nobody meanwhile. For ever, if what is waited for needs this worker.
template <class Condition>
void block_until(Condition condition) {
    while (!condition()) std::this_thread::yield();
}

}  // namespace api_test
