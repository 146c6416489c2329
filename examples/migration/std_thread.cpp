// What docs/guide/coming-from-std-thread.md shows: each piece by the standard library's threads and over Parley, with the
// same result.
#include <parley/farm.hpp>
#include <parley/parley.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <future>
#include <iterator>
#include <mutex>
#include <numeric>
#include <queue>
#include <ranges>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "same.hpp"

namespace {

namespace with_threads {

void loop(numbers& v) {
    // [std-loop]
    const std::size_t n = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < n; ++t)
        threads.emplace_back([&v, t, n] {
            for (std::size_t i = v.size() * t / n; i < v.size() * (t + 1) / n; ++i) v[i] = f(v[i]);
        });
    threads.clear();  // joins
    // [std-loop]
}

long both() {
    // [std-async]
    std::future<long> a = std::async(std::launch::async, serial_fib, 15);
    const long b = serial_fib(16);
    return a.get() + b;
    // [std-async]
}

numbers several() {
    numbers results(10);
    // [std-several]
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < results.size(); ++i)
        threads.emplace_back([&results, i] { results[i] = serial_fib(static_cast<long>(i)); });
    threads.clear();
    // [std-several]
    return results;
}

long sum(const numbers& v) {
    // [std-sum]
    std::mutex m;
    long total = 0;
    {
        const std::size_t n = std::max(1U, std::thread::hardware_concurrency());
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < n; ++t)
            threads.emplace_back([&, t] {
                long mine = 0;
                for (std::size_t i = v.size() * t / n; i < v.size() * (t + 1) / n; ++i) mine += f(v[i]);
                const std::scoped_lock guard(m);
                total += mine;
            });
    }
    return total;
    // [std-sum]
}

numbers queued(const numbers& v) {
    numbers results;
    // [std-queue]
    std::mutex m;
    std::condition_variable changed;
    std::queue<long> waiting;
    bool is_over = false;
    std::thread consumer([&] {
        for (;;) {
            std::unique_lock lock(m);
            changed.wait(lock, [&] { return is_over || !waiting.empty(); });
            if (waiting.empty()) return;
            const long x = waiting.front();
            waiting.pop();
            lock.unlock();
            results.push_back(f(x));
        }
    });
    for (const long x : v) {
        const std::scoped_lock guard(m);
        waiting.push(x);
        changed.notify_one();
    }
    {
        const std::scoped_lock guard(m);
        is_over = true;
    }
    changed.notify_one();
    consumer.join();
    // [std-queue]
    return results;
}

bool stops() {
    bool has_stopped = false;
    // [std-stop]
    std::jthread worker([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) std::this_thread::yield();
        has_stopped = true;
    });
    worker.request_stop();
    worker.join();
    // [std-stop]
    return has_stopped;
}

}  // namespace with_threads

namespace with_parley {

void loop(numbers& v) {
    // [loop]
    parley::for_each_index(0, v.size(), [&](std::size_t i) { v[i] = f(v[i]); });
    // [loop]
}

long both() {
    // [async]
    parley::future<long> a = parley::async(serial_fib, 15);
    const long b = serial_fib(16);
    return a.get() + b;
    // [async]
}

numbers several() {
    numbers results(10);
    // [several]
    parley::scope tasks;
    for (std::size_t i = 0; i < results.size(); ++i)
        tasks.spawn([&results, i] { results[i] = serial_fib(static_cast<long>(i)); });
    tasks.wait();
    // [several]
    return results;
}

long sum(const numbers& v) {
    // [sum]
    return parley::reduce(v.begin(), v.end(), 0L, std::plus<>{}, f);
    // [sum]
}

numbers queued(const numbers& v) {
    numbers results;
    // [queue]
    (parley::source(v) | parley::farm(f) | parley::sink([&](long x) { results.push_back(x); })).run();
    // [queue]
    return results;
}

bool stops() {
    bool has_stopped = false;
    // [stop]
    std::stop_source source;
    parley::future<void> task = parley::async([&, stop = source.get_token()] {
        while (!stop.stop_requested()) parley::poll();
        has_stopped = true;
    });
    source.request_stop();
    task.get();
    // [stop]
    return has_stopped;
}

// What std::execution::par has a name for, and Parley other words. Each result is compared with the standard's.
bool other_words(const numbers& v) {
    const auto is_odd = [](long x) { return x % 2 != 0; };
    const auto begin = v.begin(), end = v.end();
    const std::size_t n = v.size();
    numbers w(n), filled(n), kept(n);
    // [other-words]
    const bool all_differ = parley::adjacent_find(begin, end) == end;
    const long squares = parley::reduce_index(0, n, 0L, std::plus<>{}, [&](std::size_t i) { return v[i] * v[i]; });
    parley::transform(begin, end, w.begin(), std::identity{});  // copy
    parley::fill(filled.begin(), filled.begin() + 3, 7);        // fill_n
    kept.erase(parley::copy_if(begin, end, kept.begin(), is_odd), kept.end());
    const bool first_is_less = [&] {  // lexicographical_compare
        const auto [here, there] = parley::mismatch(begin, end, kept.begin(), kept.end());
        return there != kept.end() && (here == end || *here < *there);
    }();

    // What compares an element with one further on looks for an index.
    const std::ranges::iota_view<int, int> indices(1, static_cast<int>(n));
    const auto above = parley::find_if(indices, [&](int i) { return begin[(i - 1) / 2] < begin[i]; });
    const bool is_heap = above == indices.end();
    // [other-words]
    numbers odd_ones, sevens(n);
    std::copy_if(begin, end, std::back_inserter(odd_ones), is_odd);
    std::fill_n(sevens.begin(), 3, 7);
    return all_differ == (std::adjacent_find(begin, end) == end) &&
           squares == std::transform_reduce(begin, end, begin, 0L) && w == v && filled == sevens && kept == odd_ones &&
           first_is_less == (v < kept) && is_heap == std::is_heap(begin, end);
}

}  // namespace with_parley

}  // namespace

int main() {
    const numbers v = some_numbers();
    expect_same("loops", changed(with_threads::loop, v), changed(with_parley::loop, v));
    expect_same("calls", with_threads::both(), with_parley::both());
    expect_same("tasks", with_threads::several(), with_parley::several());
    expect_same("sums", with_threads::sum(v), with_parley::sum(v));
    expect_same("queues", with_threads::queued(v), with_parley::queued(v));
    expect_same("stops", with_threads::stops(), true);
    expect_same("stops", with_parley::stops(), true);
    expect_same("other words", with_parley::other_words(v), true);
    return differences == 0 ? 0 : 1;
}
