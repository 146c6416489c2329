// What a program loads: it computes on the copy of the library that is linked into it.
#include <parley/parley.hpp>

#include <atomic>
#include <functional>
#include <stdexcept>

namespace {

std::atomic<int> calls;

long sum(long n) {
    return parley::reduce_index(0L, n, 0L, std::plus<>{}, [](long i) { return i; });
}

}  // namespace

// 0 + 1 + ... + (n - 1), by the default runtime and by one that ends before the call does; -1 where they differ. An
// exception has to find its way out of a task, too.
extern "C" [[gnu::visibility("default")]] long plugin_sum(long n) {
    ++calls;
    parley::options three;
    three.workers = 3;
    parley::runtime own(three);
    const long inside = own.run([n] { return sum(n); });
    try {
        parley::for_each_index(0L, n, [](long) { throw std::runtime_error("as wanted"); });
    } catch (const std::runtime_error&) {
        return inside == sum(n) ? inside : -1;
    }
    return -1;
}

extern "C" [[gnu::visibility("default")]] int plugin_calls() { return calls; }
