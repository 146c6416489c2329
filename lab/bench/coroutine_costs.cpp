// Coroutines beside plain calls, by Google Benchmark: single awaits, and fib and skynet as a whole.
//   coroutine-costs [--benchmark_filter=...] [--benchmark_repetitions=N] [--benchmark_out=FILE]
// The argument of a benchmark is the number of workers.
#include <parley/coroutine.hpp>
#include <parley/parley.hpp>
#include <parley/promise.hpp>
#include <parley_build_info.hpp>

#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

namespace {

using benchmark::DoNotOptimize;
using benchmark::State;
using parley::async;
using parley::future;
using parley::task;

unsigned workers_of(const State& state) { return static_cast<unsigned>(state.range(0)); }

// --- single operations ----------------------------------------------------------------------------

task<long> leaf() { co_return 1; }

task<> await_ready(State& state) {
    const parley::shared_future<long> f = async([] { return 1L; }).share();
    f.wait();
    for (auto _ : state) DoNotOptimize(co_await f);
}
task<> await_task(State& state) {
    for (auto _ : state) DoNotOptimize(co_await leaf());
}
task<> await_async_task(State& state) {
    for (auto _ : state) DoNotOptimize(co_await async(leaf()));
}
task<> await_async_call(State& state) {
    for (auto _ : state) DoNotOptimize(co_await async([] { return 1L; }));
}
task<> get_async_call(State& state) {
    for (auto _ : state) DoNotOptimize(async([] { return 1L; }).get());
    co_return;
}

template <task<> (*Body)(State&)>
void alone(State& state) {
    parley::runtime rt{{.workers = 1}};
    parley::sync_wait(rt, Body(state));
}
BENCHMARK(alone<await_ready>)->Name("await/ready future");
BENCHMARK(alone<await_task>)->Name("await/task, made and run");
BENCHMARK(alone<await_async_task>)->Name("await/async(task)");
BENCHMARK(alone<await_async_call>)->Name("await/async(function)");
BENCHMARK(alone<get_async_call>)->Name("await/none: async(function).get()");

// The other worker has begun the task when this one begins to wait for it.
future<long> taken_by_the_other() {
    std::atomic<bool> taken{false};
    future<long> f = async([&taken] {
        taken = true;
        return 1L;
    });
    while (!taken) parley::poll();
    return f;
}
task<> await_elsewhere(State& state) {
    for (auto _ : state) DoNotOptimize(co_await taken_by_the_other());
}
task<> get_elsewhere(State& state) {
    for (auto _ : state) DoNotOptimize(taken_by_the_other().get());
    co_return;
}
template <task<> (*Body)(State&)>
void with_another(State& state) {
    parley::runtime rt{{.workers = 2}};
    parley::sync_wait(rt, Body(state));
}
BENCHMARK(with_another<await_elsewhere>)->Name("await/task that another worker has taken")->UseRealTime();
BENCHMARK(with_another<get_elsewhere>)->Name("await/none: get() of such a task")->UseRealTime();

// --- programs -------------------------------------------------------------------------------------

long plain_fib(unsigned n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([n] { return plain_fib(n - 1); }, [n] { return plain_fib(n - 2); });
    return a + b;
}
task<long> coroutine_fib(unsigned n) {
    if (n < 2) co_return n;
    future<long> a = async(coroutine_fib(n - 1));
    const long b = co_await coroutine_fib(n - 2);
    co_return b + co_await a;
}

// A tree whose nodes have ten children each; a leaf returns its number (the "skynet" of the benchmark of that name).
constexpr long arity = 10;

long plain_skynet(long first, long size) {
    if (size == 1) return first;
    std::array<future<long>, arity> all;
    const long part = size / arity;
    for (long i = 0; i < arity; ++i)
        all[static_cast<std::size_t>(i)] = async([first, part, i] { return plain_skynet(first + i * part, part); });
    long sum = 0;
    for (std::size_t i = arity; i > 0; --i) sum += all[i - 1].get();
    return sum;
}
task<long> coroutine_skynet(long first, long size) {
    if (size == 1) co_return first;
    std::array<future<long>, arity> all;
    const long part = size / arity;
    for (long i = 0; i < arity; ++i) all[static_cast<std::size_t>(i)] = async(coroutine_skynet(first + i * part, part));
    long sum = 0;
    for (std::size_t i = arity; i > 0; --i) sum += co_await all[i - 1];
    co_return sum;
}

constexpr unsigned fib_n = 25;
constexpr long fib_calls = 242'785;
constexpr long skynet_size = 100'000;
constexpr long skynet_nodes = 111'111;

void per_call(State& state, long calls) {
    state.counters["per_call"] = benchmark::Counter(
        static_cast<double>(calls), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void fib_by_calls(State& state) {
    parley::runtime rt{{.workers = workers_of(state)}};
    for (auto _ : state) DoNotOptimize(rt.run([] { return plain_fib(fib_n); }));
    per_call(state, fib_calls);
}
BENCHMARK(fib_by_calls)->Name("fib/plain calls")->Arg(1)->Arg(2)->UseRealTime();
void fib_by_coroutines(State& state) {
    parley::runtime rt{{.workers = workers_of(state)}};
    for (auto _ : state) DoNotOptimize(parley::sync_wait(rt, coroutine_fib(fib_n)));
    per_call(state, fib_calls);
}
BENCHMARK(fib_by_coroutines)->Name("fib/coroutines")->Arg(1)->Arg(2)->UseRealTime();

void skynet_by_calls(State& state) {
    parley::runtime rt{{.workers = workers_of(state)}};
    for (auto _ : state) DoNotOptimize(rt.run([] { return plain_skynet(0, skynet_size); }));
    per_call(state, skynet_nodes);
}
BENCHMARK(skynet_by_calls)->Name("skynet/plain calls")->Arg(1)->Arg(2)->UseRealTime();
void skynet_by_coroutines(State& state) {
    parley::runtime rt{{.workers = workers_of(state)}};
    for (auto _ : state) DoNotOptimize(parley::sync_wait(rt, coroutine_skynet(0, skynet_size)));
    per_call(state, skynet_nodes);
}
BENCHMARK(skynet_by_coroutines)->Name("skynet/coroutines")->Arg(1)->Arg(2)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
    benchmark::AddCustomContext("parley_commit", PARLEY_COMMIT);
    benchmark::AddCustomContext("compiler", PARLEY_COMPILER);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
