// What docs/guide/coming-from-openmp.md shows: each piece by OpenMP and over Parley, with the same result.
#include <parley/parley.hpp>

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "same.hpp"

namespace {

struct node {
    long value;
    node *left, *right;
};

namespace with_openmp {

void loop(numbers& v) {
    // [omp-loop]
    #pragma omp parallel for schedule(guided)
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = f(v[i]);
    // [omp-loop]
}

long sum(const numbers& v) {
    long total = 0;
    // [omp-reduction]
    #pragma omp parallel for reduction(+ : total)
    for (std::size_t i = 0; i < v.size(); ++i) total += f(v[i]);
    // [omp-reduction]
    return total;
}

void grid(numbers& v, long rows, long columns) {
    // [omp-collapse]
    #pragma omp parallel for collapse(2)
    for (long i = 0; i < rows; ++i)
        for (long j = 0; j < columns; ++j) v[static_cast<std::size_t>(i * columns + j)] = i * j;
    // [omp-collapse]
}

// [omp-task]
long fib(long n) {
    if (n < 2) return n;
    long a = 0, b = 0;
    #pragma omp task shared(a)
    a = fib(n - 1);
    b = fib(n - 2);
    #pragma omp taskwait
    return a + b;
}

long whole_fib(long n) {
    long result = 0;
    #pragma omp parallel
    #pragma omp single
    result = fib(n);
    return result;
}
// [omp-task]

// [omp-taskwait]
long leaves(const node* n) {
    if (n == nullptr) return 0;
    if (n->left == nullptr && n->right == nullptr) return 1;
    long left = 0;
    #pragma omp task shared(left)
    left = leaves(n->left);
    const long right = leaves(n->right);
    #pragma omp taskwait
    return left + right;
}
// [omp-taskwait]

// [omp-taskgroup]
void visit(node* n) {
    if (n == nullptr) return;
    #pragma omp task
    visit(n->left);
    #pragma omp task
    visit(n->right);
    n->value = f(n->value);
}

void visit_all(node* root) {
    #pragma omp parallel
    #pragma omp single
    #pragma omp taskgroup
    visit(root);
}
// [omp-taskgroup]

long sections() {
    // [omp-sections]
    long a = 0, b = 0;
    #pragma omp parallel sections
    {
        #pragma omp section
        a = serial_fib(15);
        #pragma omp section
        b = serial_fib(16);
    }
    return a + b;
    // [omp-sections]
}

numbers histogram(const numbers& v) {
    // [omp-threads]
    numbers all(10);
    #pragma omp parallel num_threads(3)
    {
        numbers mine(10);
        #pragma omp for nowait
        for (std::size_t i = 0; i < v.size(); ++i) ++mine[static_cast<std::size_t>(v[i] % 10)];
        #pragma omp critical
        for (std::size_t d = 0; d < 10; ++d) all[d] += mine[d];
    }
    return all;
    // [omp-threads]
}

long data(const numbers& v) {
    // [omp-data]
    const long limit = 100;
    long last = 0, most = 0;
    #pragma omp parallel for firstprivate(limit) lastprivate(last) reduction(max : most)
    for (std::size_t i = 0; i < v.size(); ++i) {
        const long square = v[i] * v[i];
        last = square % limit;
        most = std::max(most, last);
    }
    return 1000 * most + last;
    // [omp-data]
}

long several_sums(const numbers& v) {
    // [omp-several]
    long sum = 0, least = v[0];
    #pragma omp parallel for reduction(+ : sum) reduction(min : least)
    for (std::size_t i = 0; i < v.size(); ++i) {
        sum += v[i];
        least = std::min(least, v[i]);
    }
    // [omp-several]
    return sum + least;
}

long dependences() {
    // [omp-depend]
    long x = 0, left = 0, right = 0;
    #pragma omp parallel
    #pragma omp single
    {
        #pragma omp task shared(x) depend(out : x)
        x = serial_fib(10);
        #pragma omp task shared(x, left) depend(in : x)
        left = f(x);
        #pragma omp task shared(x, right) depend(in : x)
        right = serial_fib(x % 20);
    }
    return left + right;
    // [omp-depend]
}

}  // namespace with_openmp

namespace with_parley {

void loop(numbers& v) {
    // [loop]
    parley::for_each_index(0, v.size(), [&](std::size_t i) { v[i] = f(v[i]); });
    // [loop]
}

long sum(const numbers& v) {
    // [reduction]
    const long total = parley::reduce(v.begin(), v.end(), 0L, std::plus<>{}, f);
    // [reduction]
    return total;
}

void grid(numbers& v, long rows, long columns) {
    // [collapse]
    parley::for_each_index({rows, columns}, [&](long i, long j) {
        v[static_cast<std::size_t>(i * columns + j)] = i * j;
    });
    // [collapse]
}

// [task]
long fib(long n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return a + b;
}
// [task]

// [taskgroup]
void visit(parley::scope& tasks, node* n) {
    if (n == nullptr) return;
    tasks.spawn([&tasks, n] { visit(tasks, n->left); });
    tasks.spawn([&tasks, n] { visit(tasks, n->right); });
    n->value = f(n->value);
}

void visit_all(node* root) {
    parley::scope tasks;
    visit(tasks, root);
    tasks.wait();
}
// [taskgroup]

long sections() {
    // [sections]
    const auto [a, b] = parley::fork_join([] { return serial_fib(15); }, [] { return serial_fib(16); });
    return a + b;
    // [sections]
}

numbers histogram(const numbers& v) {
    // [threads]
    parley::runtime three{{.workers = 3}};
    return three.run([&] {
        parley::worker_local<numbers> counts(numbers(10));
        parley::for_each_index(0, v.size(),
                               [&](std::size_t i) { ++counts.local()[static_cast<std::size_t>(v[i] % 10)]; });
        return counts.combine(numbers(10), [](numbers all, const numbers& mine) {
            for (std::size_t d = 0; d < 10; ++d) all[d] += mine[d];
            return all;
        });
    });
    // [threads]
}

long data(const numbers& v) {
    // [data]
    const long limit = 100;
    const auto of = [limit](long x) {
        const long square = x * x;
        return square % limit;
    };
    const long most = parley::reduce(v.begin(), v.end(), 0L, [](long a, long b) { return std::max(a, b); }, of);
    return 1000 * most + of(v.back());
    // [data]
}

long several_sums(const numbers& v) {
    // [several]
    struct both {
        long sum, least;
    };
    const auto [sum, least] = parley::reduce(
        v.begin(), v.end(), both{0, v[0]},
        [](both a, both b) { return both{a.sum + b.sum, std::min(a.least, b.least)}; },
        [](long x) { return both{x, x}; });
    // [several]
    return sum + least;
}

long dependences() {
    // [depend]
    long x = 0, left = 0, right = 0;
    parley::future<void> first = parley::async([&] { x = serial_fib(10); });
    parley::future<void> second = parley::async([&] {
        first.wait();
        left = f(x);
    });
    parley::future<void> third = parley::async([&] {
        first.wait();
        right = serial_fib(x % 20);
    });
    second.get();
    third.get();
    first.get();  // throws what it has thrown; nobody waits for it any more
    return left + right;
    // [depend]
}

// [taskwait]
long leaves(const node* n) {
    if (n == nullptr) return 0;
    if (n->left == nullptr && n->right == nullptr) return 1;
    long left = 0;
    parley::scope children;
    children.spawn([&] { left = leaves(n->left); });
    const long right = leaves(n->right);
    children.wait();
    return left + right;
}
// [taskwait]

}  // namespace with_parley

numbers filled(void (*fill)(numbers&, long, long)) {
    numbers v(20 * 30);
    fill(v, 20, 30);
    return v;
}

// A tree of 127 nodes, the root first.
std::vector<node> some_tree() {
    std::vector<node> tree(127);
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const bool is_leaf = 2 * i + 2 >= tree.size();
        tree[i] = {static_cast<long>(i), is_leaf ? nullptr : &tree[2 * i + 1], is_leaf ? nullptr : &tree[2 * i + 2]};
    }
    return tree;
}

// Its values, after a visit to all of them.
numbers visited(void (*visit_all)(node*)) {
    std::vector<node> tree = some_tree();
    visit_all(tree.data());
    numbers values;
    for (const node& n : tree) values.push_back(n.value);
    return values;
}

}  // namespace

int main() {
    const numbers v = some_numbers();
    expect_same("loops", changed(with_openmp::loop, v), changed(with_parley::loop, v));
    expect_same("sums", with_openmp::sum(v), with_parley::sum(v));
    expect_same("grids", filled(with_openmp::grid), filled(with_parley::grid));
    expect_same("tasks", with_openmp::whole_fib(15), with_parley::fib(15));
    expect_same("trees", visited(with_openmp::visit_all), visited(with_parley::visit_all));
    expect_same("sections", with_openmp::sections(), with_parley::sections());
    expect_same("histograms", with_openmp::histogram(v), with_parley::histogram(v));
    expect_same("data", with_openmp::data(v), with_parley::data(v));
    expect_same("several sums", with_openmp::several_sums(v), with_parley::several_sums(v));
    expect_same("dependences", with_openmp::dependences(), with_parley::dependences());
    const std::vector<node> tree = some_tree();
    expect_same("leaves", with_openmp::leaves(tree.data()), with_parley::leaves(tree.data()));
    expect_same("leaves", with_parley::leaves(tree.data()), 64L);
    return differences == 0 ? 0 : 1;
}
