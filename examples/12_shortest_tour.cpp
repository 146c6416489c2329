// The shortest tour through all cities, by branch and bound: how much is searched depends on which child comes first.
// Of a scope's tasks the newest runs first; fork_join calls its first function first.
#include <parley/parley.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <span>
#include <utility>
#include <vector>

constexpr unsigned cities = 12;

struct road_map {
    std::array<std::array<int, cities>, cities> length{};
    std::array<int, cities> shortest{};  // from each city

    explicit road_map(unsigned seed) {
        std::mt19937 random(seed);
        const auto coordinate = [&] { return static_cast<double>(random() % 1000); };
        std::array<double, cities> x{}, y{};
        for (unsigned a = 0; a < cities; ++a) x[a] = coordinate(), y[a] = coordinate();
        shortest.fill(2000);
        for (unsigned a = 0; a < cities; ++a)
            for (unsigned b = 0; b < cities; ++b) {
                length[a][b] = static_cast<int>(std::hypot(x[a] - x[b], y[a] - y[b]));
                if (a != b) shortest[a] = std::min(shortest[a], length[a][b]);
            }
    }
};

struct tour {
    unsigned last = 0, visited = 1;  // a bit for each city
    int length = 0;
};

struct search {
    const road_map& roads;
    std::atomic<int> best{1'000'000};
    parley::worker_local<long> nodes{};

    // Of a tour that may still become the best: on to each city that is left, the nearest first.
    std::vector<tour> children(const tour& t) {
        ++nodes.local();
        if (std::popcount(t.visited) == static_cast<int>(cities)) {
            const int length = t.length + roads.length[t.last][0];
            for (int seen = best; length < seen && !best.compare_exchange_weak(seen, length);) {}
            return {};
        }
        std::vector<tour> next;
        int least = t.length + roads.shortest[t.last];  // of a whole tour that begins like this
        for (unsigned c = 1; c < cities; ++c) {
            if ((t.visited >> c & 1U) != 0) continue;
            least += roads.shortest[c];
            next.push_back({c, t.visited | 1U << c, t.length + roads.length[t.last][c]});
        }
        if (least >= best) return {};
        std::ranges::stable_sort(next, {}, &tour::length);
        return next;
    }

    void serially(const tour& t) {
        for (const tour& next : children(t)) serially(next);
    }
    // [spawned]
    // The child that is spawned last runs first.
    void spawned(parley::scope& tasks, const tour& t, bool best_first) {
        std::vector<tour> next = children(t);  // the best one first
        if (!best_first) std::ranges::reverse(next);
        for (const tour& n : next) tasks.spawn([this, &tasks, n, best_first] { spawned(tasks, n, best_first); });
    }
    // [spawned]
    void in_a_scope(bool best_first) {
        parley::scope tasks;
        spawned(tasks, {}, best_first);
        tasks.wait();
    }
    // [forked]
    // Calls the first child, and then all others unless somebody has taken these.
    void forked(const tour& t) { forked_each(children(t)); }
    void forked_each(std::span<const tour> next) {
        if (next.empty()) return;
        parley::fork_join([this, next] { forked(next.front()); }, [this, next] { forked_each(next.subspan(1)); });
    }
    // [forked]
};

int main() {
    const road_map roads(7);
    int shortest = 0, wrong = -1;  // the first search finds what all others must find
    parley::runtime one{{.workers = 1}}, all{parley::options::from_environment()};
    // The search is made inside run(), so that its worker_local belongs to that runtime.
    const auto nodes = [&](parley::runtime& in, auto way) {
        return in.run([&] {
            search s{roads};
            way(s);
            wrong += std::exchange(shortest, s.best) != s.best;
            return s.nodes.combine(0L, std::plus<>{});
        });
    };
    const long serial = nodes(one, [](search& s) { s.serially({}); });
    std::printf("shortest tour %d, serially %ld nodes\n", shortest, serial);
    const auto by_one = [&](const char* name, auto way) {
        const long alone = nodes(one, way), together = nodes(all, way);
        std::printf("%s %7ld nodes by one worker, %7ld by %u\n", name, alone, together, all.workers());
        return alone;
    };
    // One worker goes the serial way if the best child is the first to run.
    wrong += by_one("forked, the best child first ", [](search& s) { s.forked({}); }) != serial;
    wrong += by_one("spawned, the best child last ", [](search& s) { s.in_a_scope(false); }) != serial;
    wrong += by_one("spawned, the best child first", [](search& s) { s.in_a_scope(true); }) <= serial;
    return wrong == 0 ? 0 : 1;
}
