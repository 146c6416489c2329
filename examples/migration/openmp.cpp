// What docs/coming-from-openmp.md shows: each piece by OpenMP and over Parley, with the same result.
#include <parley/parley.hpp>

#include <omp.h>

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

}  // namespace with_parley

numbers filled(void (*fill)(numbers&, long, long)) {
    numbers v(20 * 30);
    fill(v, 20, 30);
    return v;
}

// The values of a tree of 127 nodes, after a visit to all of them.
numbers visited(void (*visit_all)(node*)) {
    std::vector<node> tree(127);
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const bool is_leaf = 2 * i + 2 >= tree.size();
        tree[i] = {static_cast<long>(i), is_leaf ? nullptr : &tree[2 * i + 1], is_leaf ? nullptr : &tree[2 * i + 2]};
    }
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
    return differences == 0 ? 0 : 1;
}
