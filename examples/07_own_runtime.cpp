// A runtime of one's own: how many workers, what they did, and what they are doing.
#include <parley/parley.hpp>

#include <cstdint>
#include <cstdio>

std::uint64_t fib(unsigned n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
    return a + b;
}

int main() {
    // Without one, the first parallel call starts a default runtime: as many workers as there are
    // processors for this process, or as PARLEY_WORKERS says.
    parley::runtime rt{{.workers = 3}};

    // The calling thread is one of the three until run() returns. Everything inside happens in rt.
    const std::uint64_t result = rt.run([] {
        const std::uint64_t r = fib(24);
        // Waits until no task is left, whoever made it. Here there is none.
        parley::barrier();
        return r;
    });
    std::printf("fib(24) = %llu\n", static_cast<unsigned long long>(result));

    // What each worker counted.
    std::uint64_t tasks = 0;
    unsigned id = 0;
    for (const parley::worker_counters& c : rt.counters()) {
        std::printf("worker %u: %llu tasks, %llu steals\n", id++,
                    static_cast<unsigned long long>(c.tasks),
                    static_cast<unsigned long long>(c.steals));
        tasks += c.tasks;
    }

    // Who does what and where the steal requests are, should something ever seem to hang.
    rt.dump_state(stdout);

    // Every call of fib(n) with n >= 2 forks once: fib(25) - 1 times.
    return result == 46'368 && tasks == 75'024 && rt.workers() == 3 ? 0 : 1;
} // The destructor waits until every task is done, then ends the threads.
