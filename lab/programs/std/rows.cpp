#include "lab/programs/std/rows.hpp"

#include "lab/programs/std/ways_with.hpp"

#include <algorithm>
#include <random>

namespace parley_programs::std_algorithms {

namespace {

// From so many elements each call takes some that lie elsewhere than those of the call before.
std::size_t pool_length(std::size_t n) { return n + std::max<std::size_t>(n, 1U << 22U); }

const numbers& random_pool(std::size_t n) {
    static numbers pool;
    if (pool.size() < pool_length(n)) {
        std::mt19937 random(7);
        pool.resize(pool_length(n));
        for (number& x : pool) {
            x = static_cast<number>(random() >> 1U);  // none is `marked`
        }
    }
    return pool;
}

// Two sorted pools. Some of their elements are in both.
const numbers& sorted_pool(std::size_t n, bool second) {
    static numbers pools[2];
    numbers& pool = pools[second ? 1 : 0];
    if (pool.size() < pool_length(n)) {
        const numbers& random = random_pool(n);
        pool.resize(pool_length(n));
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const number shared = random[i] % 64, own = random[pool.size() - 1 - i] % 64;
            pool[i] = static_cast<number>(64 * i) + (second && i % 4 != 0 ? own : shared);
        }
    }
    return pool;
}

void take(numbers& to, const numbers& pool, std::size_t first, std::size_t n) {
    const auto begin = pool.begin() + static_cast<std::ptrdiff_t>(first);
    to.assign(begin, begin + static_cast<std::ptrdiff_t>(n));
}

}  // namespace

const std::vector<row>& rows() {
    static const std::vector<row> all = {
        {"for_each", elements::random},       {"transform", elements::random},
        {"reduce", elements::random},         {"transform_reduce", elements::random},
        {"sort", elements::random},           {"stable_sort", elements::random},
        {"inclusive_scan", elements::random}, {"exclusive_scan", elements::random},
        {"copy_if", elements::random},        {"partition", elements::random, false},
        {"unique", elements::few_values},     {"merge", elements::sorted_pair},
        {"set_union", elements::sorted_pair}, {"find early", elements::marked_early},
        {"find late", elements::marked_late}, {"min_element", elements::random},
        {"count_if", elements::random},       {"nth_element", elements::random, false},
    };
    return all;
}

void prepare(arrays& a, const row& r, std::size_t n, std::uint64_t round) {
    const std::size_t first = round * 1'000'003 % (pool_length(n) - n);
    const bool sorted = r.of == elements::sorted_pair;
    take(a.in, sorted ? sorted_pool(n, false) : random_pool(n), first, sorted ? n / 2 : n);
    take(a.other, sorted ? sorted_pool(n, true) : random_pool(n), first, sorted ? n - n / 2 : n);
    a.out.assign(n, 0);
    a.returned = 0;
    if (r.of == elements::few_values) {
        std::transform(a.in.begin(), a.in.end(), a.in.begin(), [](number x) { return x % 3; });
    } else if (r.of == elements::marked_early) {
        a.in[n / 100] = marked;
    } else if (r.of == elements::marked_late) {
        a.in[n - n / 100 - 1] = marked;
    }
}

std::uint64_t result(const arrays& a, const row& r) {
    std::uint64_t sum = a.returned;
    for (const numbers* const v : {&a.in, &a.out}) {
        for (const number x : *v) {
            sum = r.keeps_order ? (sum ^ x) * 0x100000001b3U : sum + x * std::uint64_t{x};
        }
    }
    return sum;
}

}  // namespace parley_programs::std_algorithms
