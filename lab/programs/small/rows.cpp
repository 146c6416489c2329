#include "lab/programs/small/rows.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <ratio>
#include <string_view>

#include <parley/algorithm.hpp>
#include <parley/parley.hpp>

#ifdef PARLEY_WITH_TBB
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#endif
#ifdef PARLEY_WITH_RUST
#include "lab/peers/rust.hpp"
#endif

namespace parley_programs::small {
namespace {

using number = std::uint64_t;

// Some nanoseconds that no compiler removes.
[[gnu::noinline]] number step(number x) {
    for (int i = 0; i < 8; ++i) {
        x = x * 6364136223846793005U + 1442695040888963407U;
    }
    return x;
}

struct arrays {
    std::vector<number> in, out;
    explicit arrays(std::size_t n) : in(n), out(n) { std::iota(in.begin(), in.end(), number{1}); }
};
arrays& data() {
    static arrays all(100'000);
    return all;
}
volatile number kept;

auto first(std::vector<number>& of) { return of.begin(); }
auto last(std::vector<number>& of, std::size_t n) { return of.begin() + static_cast<std::ptrdiff_t>(n); }

// No loop asks for the arrays in each iteration: that took longer than all but the longest words cost.
void write_some(std::size_t from, std::size_t to) {
    number* const out = data().out.data();
    for (std::size_t i = from; i < to; ++i) {
        out[i] = step(i);
    }
}
void shuffle(std::size_t n, std::uint64_t round) {
    for (std::size_t i = 0; i < n; ++i) {
        data().out[i] = step(data().in[i] ^ round << 32U);
    }
}
number sum_of_steps(std::size_t from, std::size_t to, number sum) {
    const number* const in = data().in.data();
    for (std::size_t i = from; i < to; ++i) {
        sum += step(in[i]);
    }
    return sum;
}
// Associative, and some nanoseconds long: multiplies modulo a prime.
number times(number a, number b) {
    __extension__ using wide = unsigned __int128;
    constexpr number prime = (number{1} << 61U) - 1;
    return static_cast<number>(wide{a} * b % prime);
}

number serial_tree(std::size_t n) { return n < 2 ? step(n) : serial_tree(n - 1) + serial_tree(n - 2); }
number tree(std::size_t n) {
    if (n < 2) {
        return step(n);
    }
    const auto [a, b] = parley::fork_join([n] { return tree(n - 1); }, [n] { return tree(n - 2); });
    return a + b;
}

void nothing(std::size_t, std::uint64_t) {}
std::uint64_t what_was_kept(std::size_t) { return kept; }
std::uint64_t what_was_written(std::size_t n) {
    number hash = n;
    for (std::size_t i = 0; i < n; ++i) {
        hash = step(hash ^ data().out[i]);
    }
    return hash;
}

row& named(std::vector<row>& all, std::string_view name) {
    return *std::find_if(all.begin(), all.end(), [&](const row& r) { return r.name == name; });
}

#ifdef PARLEY_WITH_TBB
number tbb_tree(std::size_t n) {
    if (n < 2) {
        return step(n);
    }
    number a = 0, b = 0;
    tbb::parallel_invoke([&] { a = tbb_tree(n - 1); }, [&] { b = tbb_tree(n - 2); });
    return a + b;
}

void add_tbb(std::vector<row>& all) {
    const auto add = [&](const char* name, const work& run) { named(all, name).ways.push_back({"tbb", run}); };
    add("loop", [](std::size_t n) {
        tbb::parallel_for(std::size_t{0}, n, [out = data().out.data()](std::size_t i) { out[i] = step(i); });
    });
    add("reduce", [](std::size_t n) {
        using range = tbb::blocked_range<std::size_t>;
        kept = tbb::parallel_reduce(
            range(0, n), number{0}, [](const range& r, number sum) { return sum_of_steps(r.begin(), r.end(), sum); },
            std::plus<>{});
    });
    add("sort", [](std::size_t n) { tbb::parallel_sort(first(data().out), last(data().out, n)); });
    add("forks", [](std::size_t n) { kept = tbb_tree(n); });
}
#endif

#ifdef PARLEY_WITH_OPENMP
void add_openmp(std::vector<row>& all) {
    const auto add = [&](const char* name, const work& run) { named(all, name).ways.push_back({"openmp", run}); };
    add("loop", [](std::size_t n) {
        number* const out = data().out.data();
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < n; ++i) {
            out[i] = step(i);
        }
    });
    add("reduce", [](std::size_t n) {
        const number* const in = data().in.data();
        number sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
        for (std::size_t i = 0; i < n; ++i) {
            sum += step(in[i]);
        }
        kept = sum;
    });
}
#endif

#ifdef PARLEY_WITH_RUST
// A program of these crates has its work on one of their workers: there a call costs least.
template <class Peer>
void enter(unsigned workers, const std::function<void()>& inside) {
    typename Peer::pool pool(parley_peers::setup{.workers = workers, .seed = {}});
    pool.run([&] { inside(); });
}

template <class Peer>
void add_of(std::vector<row>& all, std::string_view name, const work& run) {
    named(all, name).ways.push_back({Peer::name.data(), run, enter<Peer>});
}

template <class Peer>
void add_peer(std::vector<row>& all) {
    add_of<Peer>(all, "loop", [](std::size_t n) { Peer::small_loop(step, data().out.data(), n); });
    add_of<Peer>(all, "reduce", [](std::size_t n) { kept = Peer::small_reduce(step, data().in.data(), n); });
    add_of<Peer>(all, "forks", [](std::size_t n) { kept = Peer::small_forks(step, n); });
}

// Chili has nothing for sorts, nor for tasks that are not pairs. Neither has anything for scans.
void add_rust(std::vector<row>& all) {
    using parley_peers::rayon;
    add_peer<rayon>(all);
    add_of<rayon>(all, "sort", [](std::size_t n) { parley_rayon_small_sort(nullptr, data().out.data(), n, false); });
    add_of<rayon>(all, "stable sort", [](std::size_t n) { parley_rayon_small_sort(nullptr, data().out.data(), n, true); });
    add_of<rayon>(all, "scope of 8", [](std::size_t n) { parley_rayon_small_scope(nullptr, step, data().out.data(), n); });
    add_peer<parley_peers::chili>(all);
}
#endif

}  // namespace

std::vector<row> all_rows() {
    const std::vector<std::size_t> lengths{100, 300, 1000, 3000, 10'000, 30'000, 100'000};
    const std::vector<std::size_t> sorted{50, 200, 1000, 3000, 20'000};
    const std::vector<std::size_t> depths{8, 11, 14, 17, 20};
    std::vector<row> all{
        {"loop",
         lengths,
         nothing,
         [](std::size_t n) { write_some(0, n); },
         {{"parley",
           [](std::size_t n) {
               parley::for_each_index(std::size_t{0}, n, [out = data().out.data()](std::size_t i) { out[i] = step(i); });
           }}},
         what_was_written},
        {"reduce",
         lengths,
         nothing,
         [](std::size_t n) { kept = sum_of_steps(0, n, 0); },
         {{"parley",
           [](std::size_t n) {
               kept = parley::reduce(first(data().in), last(data().in, n), number{0}, std::plus<>{}, step);
           }}},
         what_was_kept},
        {"scan",
         lengths,
         nothing,
         [](std::size_t n) { std::inclusive_scan(first(data().in), last(data().in, n), first(data().out), times); },
         {{"parley",
           [](std::size_t n) { parley::inclusive_scan(first(data().in), last(data().in, n), first(data().out), times); }}},
         what_was_written},
        {"sort",
         sorted,
         shuffle,
         [](std::size_t n) { std::sort(first(data().out), last(data().out, n)); },
         {{"parley", [](std::size_t n) { parley::sort(first(data().out), last(data().out, n)); }}},
         what_was_written},
        {"stable sort",
         sorted,
         shuffle,
         [](std::size_t n) { std::stable_sort(first(data().out), last(data().out, n)); },
         {{"parley", [](std::size_t n) { parley::stable_sort(first(data().out), last(data().out, n)); }}},
         what_was_written},
        {"forks",
         depths,
         nothing,
         [](std::size_t n) { kept = serial_tree(n); },
         {{"parley", [](std::size_t n) { kept = tree(n); }}},
         what_was_kept},
        {"scope of 8",
         lengths,
         nothing,
         [](std::size_t n) { write_some(0, n); },
         {{"parley",
           [](std::size_t n) {
               parley::scope s;
               for (std::size_t k = 0; k < 8; ++k) {
                   s.spawn([k, n] { write_some(k * n / 8, (k + 1) * n / 8); });
               }
               s.wait();
           }}},
         what_was_written},
    };
#ifdef PARLEY_WITH_TBB
    add_tbb(all);
#endif
#ifdef PARLEY_WITH_OPENMP
    add_openmp(all);
#endif
#ifdef PARLEY_WITH_RUST
    add_rust(all);
#endif
    return all;
}

void compute_for(double us) {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    while (std::chrono::duration<double, std::micro>(clock::now() - begin).count() < us) {
        kept = step(kept);
    }
}

}  // namespace parley_programs::small
