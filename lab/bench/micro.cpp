// Single operations, by Google Benchmark, each group beside what the machine itself takes for it.
//   micro [--benchmark_filter=...] [--benchmark_repetitions=N] [--benchmark_out=FILE]
#include "lab/bench/hand_over.hpp"
#include "lab/bench/limits.hpp"

#include <parley/detail/sync/mpsc.hpp>
#include <parley/detail/sync/spsc.hpp>
#include <parley/parley.hpp>
#include <parley_build_info.hpp>

#include <benchmark/benchmark.h>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

namespace {

using benchmark::DoNotOptimize;
using benchmark::State;
using namespace parley_bench;

// --- limits ---------------------------------------------------------------------------------------

[[gnu::noinline]] int called(int x) {
    asm volatile("" : "+r"(x));
    return x;
}
void limit_call(State& state) {
    int x = 0;
    for (auto _ : state) DoNotOptimize(x = called(x));
}
BENCHMARK(limit_call)->Name("limit/call");

void limit_fence(State& state) {
    for (auto _ : state) std::atomic_thread_fence(std::memory_order_seq_cst);
}
BENCHMARK(limit_fence)->Name("limit/fence");

void limit_exchange(State& state) {
    std::atomic<int> word{0};
    for (auto _ : state) DoNotOptimize(word.exchange(1));
}
BENCHMARK(limit_exchange)->Name("limit/exchange");

void limit_line(State& state) {
    constexpr int rounds = 1000;
    for (auto _ : state) state.SetIterationTime(cache_line_round_trip(rounds));
}
BENCHMARK(limit_line)->Name("limit/cache line round trip")->UseManualTime()->Iterations(100);

void limit_futex(State& state) {
    constexpr int rounds = 10;
    for (auto _ : state) state.SetIterationTime(futex_round_trip(rounds));
}
BENCHMARK(limit_futex)->Name("limit/futex round trip")->UseManualTime()->Iterations(100);

// --- channels -------------------------------------------------------------------------------------

void slot(State& state) {
    parley::sync::spsc_slot<int> channel;
    int value = 0;
    for (auto _ : state) {
        channel.send(&value);
        DoNotOptimize(channel.receive());
    }
}
BENCHMARK(slot)->Name("channel/one answer, send and receive");

struct letter {
    letter* next = nullptr;
};
using mailbox = parley::sync::mpsc<letter, &letter::next>;

void letters(State& state) {
    mailbox box;
    letter l;
    for (auto _ : state) {
        DoNotOptimize(box.send(&l));
        DoNotOptimize(box.receive());
    }
}
BENCHMARK(letters)->Name("channel/mpsc, send and receive");

// A letter that goes to the other core and comes back: two messages.
void letters_and_back(State& state) {
    mailbox there, back;
    letter l;
    std::atomic<bool> end{false};
    pin_this_thread(0);
    std::thread other([&] {
        pin_this_thread(1);
        while (!end.load(std::memory_order_relaxed))
            if (letter* got = there.receive()) (void)back.send(got);
    });
    for (auto _ : state) {
        (void)there.send(&l);
        while (back.receive() == nullptr) {}
    }
    end = true;
    other.join();
}
BENCHMARK(letters_and_back)->Name("channel/mpsc, there and back")->UseRealTime();

// --- tasks ----------------------------------------------------------------------------------------

void fork(State& state) {
    parley::runtime one{{.workers = 1}};
    one.run([&] {
        int x = 0;
        for (auto _ : state) parley::fork_join([&] { DoNotOptimize(x); }, [&] { DoNotOptimize(x); });
    });
}
BENCHMARK(fork)->Name("task/fork and join");

// In batches: what is spawned has to be run, too.
void spawn(State& state) {
    constexpr int batch = 1000;
    parley::runtime one{{.workers = 1}};
    one.run([&] {
        parley::scope tasks;
        while (state.KeepRunningBatch(batch)) {
            for (int i = 0; i < batch; ++i) tasks.spawn([] {});
            tasks.wait();
        }
    });
}
BENCHMARK(spawn)->Name("task/spawn and run");

void steal(State& state) {
    parley::runtime two{{.workers = 2}};
    for (auto _ : state) {
        (void)hand_over(two);
        spin_for(3e-6);  // the thief has asked again and spins
        state.SetIterationTime(hand_over(two));
    }
}
BENCHMARK(steal)->Name("task/fork to running on a spinning thief")->UseManualTime()->Iterations(2000);

void wake(State& state) {
    parley::runtime two{{.workers = 2}};
    for (auto _ : state) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));  // the worker is asleep now
        state.SetIterationTime(hand_over(two));
    }
}
BENCHMARK(wake)->Name("task/fork to running on a sleeping worker")->UseManualTime()->Iterations(200);

void start(State& state) {
    for (auto _ : state) {
        std::optional<parley::runtime> rt;
        state.SetIterationTime(seconds([&] {
            rt.emplace(parley::options{.workers = 2});
            rt->run([] { parley::fork_join([] {}, [] {}); });
        }));
    }
}
BENCHMARK(start)->Name("runtime/start and first fork")->UseManualTime()->Iterations(200);

void enter(State& state) {
    parley::runtime two{{.workers = 2}};
    for (auto _ : state) two.run([] {});
}
BENCHMARK(enter)->Name("runtime/enter and leave");

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
