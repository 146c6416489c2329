// run() between ranks that are threads: the sum over all tasks is the serial one, wherever they ran.
#include "tests/cluster/local_ranks.hpp"

#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace cluster_tests;
using parley::base::rng;

struct plus {
    void operator()(std::uint64_t& sum, std::uint64_t other) const { sum += other; }
};

struct numbers {  // fib by its definition: as many leaves of 1 as it is large
    void operator()(const int& n, spawner<int>& s, std::uint64_t& sum) const {
        if (n < 2) {
            sum += static_cast<std::uint64_t>(n);
            return;
        }
        s.spawn(n - 1);
        s.spawn(n - 2);
    }
};

struct vertex {
    std::uint64_t state = 0;
    std::uint32_t depth = 0;
};

std::vector<vertex> children_of(const vertex& v) {
    rng random(v.state);
    std::vector<vertex> all(v.depth >= 14 ? 0 : random.below(4));
    for (vertex& c : all) c = {random.next(), v.depth + 1};
    return all;
}
std::uint64_t count_serially(std::vector<vertex> open) {
    std::uint64_t n = 0;
    while (!open.empty()) {
        const vertex v = open.back();
        open.pop_back();
        ++n;
        for (const vertex& c : children_of(v)) open.push_back(c);
    }
    return n;
}
// Looks at the messages, so that a tree is shared even where it is small.
void count(const vertex& v, spawner<vertex>& s, std::uint64_t& n) {
    ++n;
    s.here().work(2e-6);
    for (const vertex& c : children_of(v)) s.spawn(c);
}

class SpawningInEachCrew : public testing::TestWithParam<std::tuple<position, std::uint32_t>> {
protected:
    [[nodiscard]] position ranks() const { return std::get<0>(GetParam()); }
    [[nodiscard]] options how() const {
        options chosen;
        chosen.workers = std::get<1>(GetParam());
        return chosen;
    }
};
INSTANTIATE_TEST_SUITE_P(Crews, SpawningInEachCrew, testing::Combine(testing::Range(1u, 6u), testing::Values(1, 2)),
                         [](const auto& p) {
                             return std::to_string(std::get<0>(p.param)) + "_ranks_" + std::to_string(std::get<1>(p.param)) +
                                    "_workers";
                         });

TEST_P(SpawningInEachCrew, TheSumIsTheSerialOneOnEveryRank) {
    EXPECT_EQ(on_ranks(ranks(), how(),
                       [](group& g) {
                           std::vector<int> roots;
                           if (g.rank() == 0) roots.push_back(20);
                           EXPECT_EQ(run(g, roots, numbers(), plus(), std::uint64_t{0}), 6765u);
                       }),
              nothing(ranks()));
}

TEST_P(SpawningInEachCrew, RandomTreesWithSeveralRootsAreCounted) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const auto roots_of = [&](position rank) {
            std::vector<vertex> roots;
            for (std::uint64_t i = 0; i < rank % 3; ++i) roots.push_back({seed * 100 + rank * 10 + i, 0});
            if (rank + 1 == ranks()) roots.push_back({seed, 0});
            return roots;
        };
        std::uint64_t serial = 0;
        for (position r = 0; r < ranks(); ++r) serial += count_serially(roots_of(r));
        EXPECT_EQ(on_ranks(ranks(), how(),
                           [&](group& g) {
                               summary all;
                               EXPECT_EQ(run(g, roots_of(g.rank()), count, plus(), std::uint64_t{0}, &all), serial);
                               EXPECT_EQ(all.counts.tasks, serial);
                           }),
                  nothing(ranks()));
    }
}

TEST_P(SpawningInEachCrew, WithoutARootTheSumIsZero) {
    EXPECT_EQ(on_ranks(ranks(), how(),
                       [](group& g) { EXPECT_EQ(run(g, std::vector<int>(), numbers(), plus(), std::uint64_t{0}), 0u); }),
              nothing(ranks()));
}

TEST_P(SpawningInEachCrew, OneTreeFollowsAnother) {
    EXPECT_EQ(on_ranks(ranks(), how(),
                       [](group& g) {
                           for (int i = 0; i < 20; ++i) {
                               std::vector<int> roots;
                               if (g.rank() == static_cast<position>(i) % g.ranks()) roots.push_back(12);
                               ASSERT_EQ(run(g, roots, numbers(), plus(), std::uint64_t{0}), 144u) << i;
                           }
                       }),
              nothing(ranks()));
}

TEST_P(SpawningInEachCrew, WhatATaskThrowsIsSaidOnEveryRank) {
    std::atomic<int> said = 0;
    on_ranks(ranks(), how(), [&](group& g) {
        std::vector<int> roots;
        if (g.rank() == 0) roots.push_back(12);
        // Of the leaves of fib(12), 89 are 0.
        const auto f = [](const int& n, spawner<int>& s, std::uint64_t& sum) {
            if (n == 0) throw std::runtime_error("a leaf of zero");
            numbers()(n, s, sum);
        };
        try {
            (void)run(g, roots, f, plus(), std::uint64_t{0});
        } catch (const task_failed& e) {
            ++said;
            EXPECT_EQ(e.count, 89u);
            EXPECT_NE(std::string(e.what()).find("a leaf of zero"), std::string::npos) << e.what();
        }
    });
    EXPECT_EQ(said, static_cast<int>(ranks()));
}

TEST(Run, WhatIsNoStdExceptionIsSaidAsWell) {
    for (const std::string& text : on_ranks(3, {}, [](group& g) {
             const auto f = [](const int&, spawner<int>&, std::uint64_t&) { throw 42; };
             std::vector<int> roots(g.rank() == 1 ? 1 : 0);
             (void)run(g, roots, f, plus(), std::uint64_t{0});
         }))
        EXPECT_NE(text.find("1 task failed; the first: rank"), text.npos) << text;
}

// A task is only one place of a long chain: whoever has it is the only one that has anything.
TEST(Run, AChainOfTasksEnds) {
    const auto f = [](const int& n, spawner<int>& s, std::uint64_t& sum) {
        ++sum;
        if (n > 0) s.spawn(n - 1);
    };
    EXPECT_EQ(on_ranks(4, {},
                       [&](group& g) {
                           std::vector<int> roots;
                           if (g.rank() == 3) roots.push_back(20'000);
                           EXPECT_EQ(run(g, roots, f, plus(), std::uint64_t{0}), 20'001u);
                       }),
              nothing(4));
}

TEST(Run, TasksAndSumsMayBeOfAnySize) {
    using words = std::vector<std::string>;
    const auto f = [](const std::string& word, spawner<std::string>& s, words& found) {
        s.here().work(5e-6);
        if (word.size() == 7) found.push_back(word);
        else
            for (const char c : {'a', 'b'}) s.spawn(word + c);
    };
    const auto combine = [](words& all, const words& more) { all.insert(all.end(), more.begin(), more.end()); };
    EXPECT_EQ(on_ranks(3, {},
                       [&](group& g) {
                           words roots;
                           if (g.rank() == 0) roots.emplace_back();
                           const words all = run(g, roots, f, combine, words());
                           std::map<std::string, int> times;
                           for (const std::string& w : all) ++times[w];
                           EXPECT_EQ(all.size(), 128u);
                           EXPECT_EQ(times.size(), 128u);
                       }),
              nothing(3));
}

// A task of which there are only so many at once.
struct numbered {
    static inline std::atomic<int> alive = 0, most_alive = 0;
    explicit numbered(std::uint32_t d) : depth(d) { came(); }
    numbered(const numbered& other) : depth(other.depth) { came(); }
    numbered& operator=(const numbered&) = default;
    ~numbered() { --alive; }
    std::uint32_t depth;

private:
    static void came() {
        for (int now = ++alive, most = most_alive; now > most && !most_alive.compare_exchange_weak(most, now);) {}
    }
};

}  // namespace

template <>
struct parley::cluster::serializer<numbered> {
    static void write(writer& w, const numbered& n) { w(n.depth); }
    static numbered read(reader& r) { return numbered(r.get<std::uint32_t>()); }
};

namespace {

TEST(Run, BeyondThePoolTasksRunInPlace) {
    options how;
    how.pool_bytes = 50 * sizeof(numbered);
    for (const position ranks : {1u, 3u}) {
        numbered::most_alive = 0;
        const auto thrown = on_ranks(ranks, how, [](group& g) {
            std::vector<numbered> roots;
            if (g.rank() == 0) roots.emplace_back(0u);
            const auto wide = [](const numbered& n, spawner<numbered>& more, std::uint64_t& sum) {
                ++sum;
                for (int i = 0; n.depth < 3 && i < 20 * (n.depth == 0 ? 50 : 1); ++i) more.spawn(numbered(n.depth + 1));
            };
            EXPECT_EQ(run(g, roots, wide, plus(), std::uint64_t{0}), 1u + 1000 + 1000 * 20 + 1000 * 20 * 20);
        });
        EXPECT_EQ(thrown, nothing(ranks));
        // What a worker keeps, what others may have, what is on its way, and the few that run in each other.
        EXPECT_LT(numbered::most_alive, static_cast<int>(ranks) * 200);
    }
}

// The others' error does not get lost in a task that catches what its spawn() might throw.
TEST(Run, ALostRankEndsTasksInPlace) {
    constexpr int all = 3'000'000;
    local_network net(2);
    std::atomic<int> ran = 0;
    options how;
    how.pool_bytes = 10 * sizeof(int);
    const std::vector<std::string> thrown = on_ranks(
        2, how,
        [&](group& g) {
            const auto f = [&](const int& n, spawner<int>& s, std::uint64_t&) {
                if (++ran == 1000) net.lose(1);
                for (int i = 0; n == 0 && i < all; ++i) try {
                        s.spawn(1);
                    } catch (...) {
                        ADD_FAILURE() << "spawn() throws nothing";
                    }
            };
            std::vector<int> roots;
            if (g.rank() == 0) roots.push_back(0);
            (void)run(g, roots, f, plus(), std::uint64_t{0});
        },
        &net);
    for (const std::string& text : thrown) EXPECT_NE(text.find("lost"), text.npos) << text;
    EXPECT_LT(ran, all / 2);
}

// A tree deeper than any stack.
TEST(Run, DeepTasksInPlaceDoNotNestWithoutEnd) {
    options how;
    how.pool_bytes = 10 * sizeof(int);
    on_ranks(1, how, [](group& g) {
        const auto f = [](const int& n, spawner<int>& s, std::uint64_t& sum) {
            ++sum;
            for (int i = 0; n > 0 && i < (n == 200'000 ? 20 : 1); ++i) s.spawn(n - 1);
        };
        EXPECT_EQ(run(g, std::vector<int>{200'000}, f, plus(), std::uint64_t{0}), 1u + 20u * 200'000);
    });
}

// Its tasks are in nobody's list: the others say so instead of a wrong sum.
TEST(Run, ALostRankIsAnErrorForAll) {
    local_network net(3);
    std::atomic<int> ran = 0;
    const std::vector<std::string> thrown = on_ranks(
        3, {},
        [&](group& g) {
            const auto f = [&](const int& n, spawner<int>& s, std::uint64_t& sum) {
                s.here().work(20e-6);
                if (++ran == 500) net.lose(1);
                numbers()(n, s, sum);
            };
            std::vector<int> roots;
            if (g.rank() == 0) roots.push_back(18);
            (void)run(g, roots, f, plus(), std::uint64_t{0});
        },
        &net);
    for (const std::string& text : thrown) EXPECT_NE(text.find("lost"), text.npos) << text;
}

}  // namespace
