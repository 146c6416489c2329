// What docs/guide/coming-from-cilk.md shows: each piece in Cilk and over Parley, with the same result. Compilers that know
// Cilk are rare, so Cilk's pieces are compiled as their serial elision, which is what they mean.
#include <parley/parley.hpp>

#include <cstddef>
#include <functional>
#include <vector>

#ifndef __cilk
#define cilk_spawn
#define cilk_sync
#define cilk_for for
#endif

#include "same.hpp"

namespace {

namespace with_cilk {

// [cilk-spawn]
long fib(long n) {
    if (n < 2) return n;
    long a = cilk_spawn fib(n - 1);
    long b = fib(n - 2);
    cilk_sync;
    return a + b;
}
// [cilk-spawn]

numbers many() {
    numbers results(10);
    // [cilk-many]
    for (std::size_t i = 0; i < results.size(); ++i)
        results[i] = cilk_spawn fib(static_cast<long>(i));
    cilk_sync;
    // [cilk-many]
    return results;
}

void loop(numbers& v) {
    // [cilk-for]
    cilk_for (std::size_t i = 0; i < v.size(); ++i) v[i] = f(v[i]);
    // [cilk-for]
}

void add(void* left, void* right) { *static_cast<long*>(left) += *static_cast<long*>(right); }
void zero(void* view) { *static_cast<long*>(view) = 0; }
#ifndef __cilk
#define cilk_reducer(identity, reduce)
#endif

long sum(const numbers& v) {
    // [cilk-reducer]
    long cilk_reducer(zero, add) total = 0;
    cilk_for (std::size_t i = 0; i < v.size(); ++i) total += f(v[i]);
    return total;
    // [cilk-reducer]
}

numbers order() {
    numbers seen;
    // [cilk-order]
    cilk_spawn seen.push_back(1);  // runs first, and meanwhile somebody may take the rest
    cilk_spawn seen.push_back(2);
    seen.push_back(3);
    cilk_sync;
    // [cilk-order]
    return seen;
}

}  // namespace with_cilk

namespace with_parley {

// [spawn]
long fib(long n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return a + b;
}
// [spawn]

numbers many() {
    numbers results(10);
    // [many]
    parley::scope children;
    for (std::size_t i = 0; i < results.size(); ++i)
        children.spawn([&results, i] { results[i] = fib(static_cast<long>(i)); });
    children.wait();
    // [many]
    return results;
}

void loop(numbers& v) {
    // [for]
    parley::for_each_index(0, v.size(), [&](std::size_t i) { v[i] = f(v[i]); });
    // [for]
}

long sum(const numbers& v) {
    // [reducer]
    return parley::reduce(v.begin(), v.end(), 0L, std::plus<>{}, f);
    // [reducer]
}

numbers order() {
    parley::runtime one{{.workers = 1}};
    numbers seen;
    one.run([&] {
        // [order]
        parley::scope children;
        children.spawn([&] { seen.push_back(1); });
        children.spawn([&] { seen.push_back(2); });
        seen.push_back(3);
        children.wait();  // of one worker: 3 2 1
        // [order]
    });
    return seen;
}

numbers forked_order() {
    parley::runtime one{{.workers = 1}};
    numbers seen;
    one.run([&] {
        // [forked-order]
        parley::fork_join([&] { seen.push_back(1); }, [&] { seen.push_back(2); },
                          [&] { seen.push_back(3); });  // of one worker: 1 2 3
        // [forked-order]
    });
    return seen;
}

}  // namespace with_parley

}  // namespace

int main() {
    const numbers v = some_numbers();
    long ten = 10, two = 2;
    with_cilk::add(&ten, &two);
    with_cilk::zero(&two);
    expect_same("views", ten + two, 12L);
    expect_same("calls", with_cilk::fib(15), with_parley::fib(15));
    expect_same("children", with_cilk::many(), with_parley::many());
    expect_same("loops", changed(with_cilk::loop, v), changed(with_parley::loop, v));
    expect_same("order", with_cilk::order(), numbers{1, 2, 3});
    expect_same("order", with_parley::order(), numbers{3, 2, 1});
    expect_same("order of a fork", with_parley::forked_order(), numbers{1, 2, 3});
    expect_same("sums", with_cilk::sum(v), with_parley::sum(v));
    return differences == 0 ? 0 : 1;
}
