// What docs/guide/coming-from-onetbb.md shows: each piece over oneTBB and over Parley, with the same result.
#include <parley/farm.hpp>
#include <parley/parley.hpp>

#include <oneapi/tbb.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "same.hpp"

namespace {

namespace with_tbb {

void loop(numbers& v) {
    // [tbb-loop]
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, v.size()), [&](const tbb::blocked_range<std::size_t>& r) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) v[i] = f(v[i]);
    });
    // [tbb-loop]
}

long sum(const numbers& v) {
    // [tbb-reduce]
    return tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, v.size()), 0L,
        [&](const tbb::blocked_range<std::size_t>& r, long so_far) {
            for (std::size_t i = r.begin(); i != r.end(); ++i) so_far += f(v[i]);
            return so_far;
        },
        std::plus<>{});
    // [tbb-reduce]
}

long both() {
    // [tbb-invoke]
    long a = 0, b = 0;
    tbb::parallel_invoke([&] { a = serial_fib(15); }, [&] { b = serial_fib(16); });
    return a + b;
    // [tbb-invoke]
}

numbers tasks() {
    numbers results(10);
    // [tbb-tasks]
    tbb::task_group group;
    for (std::size_t i = 0; i < results.size(); ++i)
        group.run([&, i] { results[i] = serial_fib(static_cast<long>(i)); });
    group.wait();
    // [tbb-tasks]
    return results;
}

void sorted_and_summed(numbers& v) {
    // [tbb-algorithms]
    tbb::parallel_sort(v.begin(), v.end());
    tbb::parallel_scan(
        tbb::blocked_range<std::size_t>(0, v.size()), 0L,
        [&](const tbb::blocked_range<std::size_t>& r, long left, bool is_final) {
            for (std::size_t i = r.begin(); i != r.end(); ++i) {
                left += v[i];
                if (is_final) v[i] = left;
            }
            return left;
        },
        std::plus<>{});
    // [tbb-algorithms]
}

long by_worker(long n) {
    // [tbb-local]
    tbb::enumerable_thread_specific<long> sums(0L);
    tbb::parallel_for(0L, n, [&](long i) { sums.local() += f(i); });
    return sums.combine(std::plus<>{});
    // [tbb-local]
}

long with_two_workers() {
    // [tbb-workers]
    tbb::task_arena two(2);
    return two.execute([] {
        return tbb::parallel_reduce(
            tbb::blocked_range<long>(0, 1000), 0L,
            [](const tbb::blocked_range<long>& r, long so_far) {
                for (long i = r.begin(); i != r.end(); ++i) so_far += f(i);
                return so_far;
            },
            std::plus<>{});
    });
    // [tbb-workers]
}

bool stops() {
    // [tbb-cancel]
    tbb::task_group group;
    group.run([&] { group.cancel(); });
    return group.wait() == tbb::canceled;
    // [tbb-cancel]
}

std::string pipeline(const std::string& text) {
    std::string result;
    std::size_t next = 0;
    // [tbb-pipeline]
    const auto read = [&](tbb::flow_control& flow) {
        if (next < text.size()) return text[next++];
        flow.stop();
        return ' ';
    };
    tbb::parallel_pipeline(8, tbb::make_filter<void, char>(tbb::filter_mode::serial_in_order, read) &
                                  tbb::make_filter<char, char>(tbb::filter_mode::parallel,
                                                               [](char c) { return c == 'a' ? 'o' : c; }) &
                                  tbb::make_filter<char, void>(tbb::filter_mode::serial_in_order,
                                                               [&](char c) { result += c; }));
    // [tbb-pipeline]
    return result;
}

long locked(numbers v) {
    std::mutex m;
    long sum = 0;
    // [tbb-isolate]
    tbb::parallel_for(0, 10, [&](int) {
        tbb::this_task_arena::isolate([&] {
            const std::scoped_lock guard(m);
            tbb::parallel_for(std::size_t{0}, v.size(), [&](std::size_t i) { ++v[i]; });
        });
    });
    // [tbb-isolate]
    for (const long x : v) sum += x;
    return sum;
}

long fed(long n) {
    // [tbb-feeder]
    std::atomic<long> sum = 0;
    const std::vector<long> roots{n};
    tbb::parallel_for_each(roots.begin(), roots.end(), [&](long x, tbb::feeder<long>& more) {
        sum += x;
        if (x > 1) more.add(x / 2), more.add(x / 3);
    });
    return sum;
    // [tbb-feeder]
}

long graph() {
    // [tbb-graph]
    long x = 0, left = 0, right = 0;
    tbb::flow::graph g;
    using step = tbb::flow::continue_node<tbb::flow::continue_msg>;
    step first(g, [&](const tbb::flow::continue_msg&) { x = serial_fib(10); });
    step second(g, [&](const tbb::flow::continue_msg&) { left = f(x); });
    step third(g, [&](const tbb::flow::continue_msg&) { right = serial_fib(x % 20); });
    tbb::flow::make_edge(first, second);
    tbb::flow::make_edge(first, third);
    first.try_put(tbb::flow::continue_msg());
    g.wait_for_all();
    return left + right;
    // [tbb-graph]
}

}  // namespace with_tbb

namespace with_parley {

void loop(numbers& v) {
    // [loop]
    parley::for_each_index(0, v.size(), [&](std::size_t i) { v[i] = f(v[i]); });
    // [loop]
}

long sum(const numbers& v) {
    // [reduce]
    return parley::reduce(v.begin(), v.end(), 0L, std::plus<>{}, f);
    // [reduce]
}

long both() {
    // [invoke]
    const auto [a, b] = parley::fork_join([] { return serial_fib(15); }, [] { return serial_fib(16); });
    return a + b;
    // [invoke]
}

numbers tasks() {
    numbers results(10);
    // [tasks]
    parley::scope tasks;
    for (std::size_t i = 0; i < results.size(); ++i)
        tasks.spawn([&, i] { results[i] = serial_fib(static_cast<long>(i)); });
    tasks.wait();
    // [tasks]
    return results;
}

void sorted_and_summed(numbers& v) {
    // [algorithms]
    parley::sort(v.begin(), v.end());
    parley::inclusive_scan(v.begin(), v.end(), v.begin());
    // [algorithms]
}

long by_worker(long n) {
    // [local]
    parley::worker_local<long> sums;
    parley::for_each_index(0L, n, [&](long i) { sums.local() += f(i); });
    return sums.combine(0L, std::plus<>{});
    // [local]
}

long with_two_workers() {
    // [workers]
    parley::runtime two{{.workers = 2}};
    return two.run([] { return parley::reduce_index(0L, 1000L, 0L, std::plus<>{}, f); });
    // [workers]
}

bool stops() {
    // [cancel]
    std::stop_source stop;
    parley::scope tasks(stop.get_token());
    stop.request_stop();
    tasks.spawn([] {});  // dropped
    try {
        tasks.wait();
    } catch (const parley::cancelled&) {
        return true;
    }
    return false;
    // [cancel]
}

std::string pipeline(const std::string& text) {
    std::string result;
    // [pipeline]
    (parley::source(text) |
     parley::farm([](char c) { return c == 'a' ? 'o' : c; }) |
     parley::sink([&](char c) { result += c; }))
        .run({.tokens = 8});
    // [pipeline]
    return result;
}

long locked(numbers v) {
    std::mutex m;
    long sum = 0;
    // [isolate]
    parley::for_each_index(0, 10, [&](int) {
        parley::isolated([&] {
            const std::scoped_lock guard(m);
            parley::for_each_index(0, v.size(), [&](std::size_t i) { ++v[i]; });
        });
    });
    // [isolate]
    for (const long x : v) sum += x;
    return sum;
}

// [feeder]
void add(parley::scope& tasks, parley::worker_local<long>& sum, long x) {
    sum.local() += x;
    if (x <= 1) return;
    tasks.spawn([&tasks, &sum, x] { add(tasks, sum, x / 2); });
    tasks.spawn([&tasks, &sum, x] { add(tasks, sum, x / 3); });
}

long fed(long n) {
    parley::worker_local<long> sum;
    parley::scope tasks;
    add(tasks, sum, n);
    tasks.wait();
    return sum.combine(0L, std::plus<>{});
}
// [feeder]

long graph() {
    // [graph]
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
    parley::when_all(std::move(second), std::move(third)).get();
    return left + right;
    // [graph]
}

}  // namespace with_parley

}  // namespace

int main() {
    const numbers v = some_numbers();
    expect_same("loops", changed(with_tbb::loop, v), changed(with_parley::loop, v));
    expect_same("sums", with_tbb::sum(v), with_parley::sum(v));
    expect_same("calls", with_tbb::both(), with_parley::both());
    expect_same("tasks", with_tbb::tasks(), with_parley::tasks());
    expect_same("algorithms", changed(with_tbb::sorted_and_summed, v), changed(with_parley::sorted_and_summed, v));
    expect_same("sums of workers", with_tbb::by_worker(1000), with_parley::by_worker(1000));
    expect_same("two workers", with_tbb::with_two_workers(), with_parley::with_two_workers());
    expect_same("pipelines", with_tbb::pipeline("banana"), with_parley::pipeline("banana"));
    expect_same("isolated loops", with_tbb::locked(v), with_parley::locked(v));
    expect_same("feeders", with_tbb::fed(1000), with_parley::fed(1000));
    expect_same("graphs", with_tbb::graph(), with_parley::graph());
    expect_same("stops", with_tbb::stops(), true);
    expect_same("stops", with_parley::stops(), true);
    return differences == 0 ? 0 : 1;
}
