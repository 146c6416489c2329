// The choice of victims: nobody is asked twice by one request; at random nobody is preferred, else who should be.
#include <parley/detail/protocol/victim.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace {

using namespace parley::protocol;
using parley::base::rng;

// How often each worker is asked in one round.
std::vector<int> one_round(worker_id thief, std::uint32_t workers, rng& random) {
    std::vector<int> asked(workers, 0);
    letter t = random_victims::begin(request_of(thief), workers, random);
    while (const auto victim = random_victims::next(t, workers)) ++asked.at(*victim);
    return asked;
}

TEST(RandomVictims, AsksEachOtherWorkerOnceAndNeverTheThief) {
    rng random(1);
    for (std::uint32_t workers = 2; workers <= 200; ++workers) {
        for (int round = 0; round < 20; ++round) {
            const worker_id thief = random.below(workers);
            std::vector<int> expected(workers, 1);
            expected[thief] = 0;
            ASSERT_EQ(one_round(thief, workers, random), expected)
                << workers << " workers, thief " << thief << ", round " << round;
        }
    }
}

TEST(RandomVictims, HasNobodyToAskAlone) {
    rng random(1);
    letter t = random_victims::begin(0, 1, random);
    EXPECT_FALSE(random_victims::next(t, 1));
}

// The largest number of workers that products of hops and strides meet.
TEST(RandomVictims, DoesNotOverflowWithManyWorkers) {
    constexpr std::uint16_t workers = most_workers;
    letter t{.request = 0, .start = workers - 2, .stride = workers - 3, .hop = workers - 2};
    const std::uint64_t victims = workers - 1;
    const std::uint64_t expected = (t.start + std::uint64_t{t.hop} * t.stride) % victims + 1;
    EXPECT_EQ(random_victims::next(t, workers), static_cast<worker_id>(expected));
}

TEST(RandomVictims, StaysExhausted) {
    rng random(1);
    letter t = random_victims::begin(3, 5, random);
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(random_victims::next(t, 5));
    for (int i = 0; i < 4; ++i) ASSERT_FALSE(random_victims::next(t, 5));
    EXPECT_EQ(t.hop, 4u);
}

// What travels is all that there is: a holder elsewhere goes on where the last one stopped.
TEST(RandomVictims, GoesOnFromACopyOfTheMessage) {
    rng random(9);
    letter here = random_victims::begin(2, 11, random);
    (void)random_victims::next(here, 11);
    letter there = here;
    while (const auto victim = random_victims::next(here, 11)) EXPECT_EQ(random_victims::next(there, 11), victim);
    EXPECT_EQ(here, there);
}

TEST(RandomVictims, NamesTheRequestThatTravels) {
    rng random(4);
    EXPECT_EQ(random_victims::begin(17, 40, random).request, 17u);
}

TEST(RandomVictims, StrideIsCoprimeToTheVictims) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        rng random(seed);
        const std::uint32_t workers = 3 + random.below(198);
        const letter t = random_victims::begin(0, workers, random);
        ASSERT_EQ(std::gcd(t.stride, workers - 1), 1u);
        ASSERT_GE(t.stride, 1u);
        ASSERT_LT(t.start, workers - 1);
    }
}

TEST(RandomVictims, FirstPickIsUniform) {
    constexpr std::uint32_t workers = 8;
    constexpr int rounds = 7000;
    for (worker_id thief = 0; thief < workers; ++thief) {
        rng random(100 + thief);
        std::vector<int> first(workers, 0);
        for (int i = 0; i < rounds; ++i) {
            letter t = random_victims::begin(request_of(thief), workers, random);
            ++first.at(random_victims::next(t, workers).value());
        }
        // Standard deviation of each count: 29. Five of them.
        for (worker_id w = 0; w < workers; ++w)
            EXPECT_NEAR(first[w], w == thief ? 0 : rounds / 7, w == thief ? 0 : 146) << w;
    }
}

// Neither does the second pick follow from the first: every ordered pair occurs.
TEST(RandomVictims, EveryPairOfFirstPicksOccurs) {
    constexpr std::uint32_t workers = 8;  // 7 victims, a prime: every stride is allowed
    rng random(3);
    std::vector<int> pairs(workers * workers, 0);
    for (int i = 0; i < 4200; ++i) {
        letter t = random_victims::begin(0, workers, random);
        const worker_id first = random_victims::next(t, workers).value();
        ++pairs.at(first * workers + random_victims::next(t, workers).value());
    }
    for (worker_id a = 1; a < workers; ++a)
        for (worker_id b = 1; b < workers; ++b)
            EXPECT_NEAR(pairs[a * workers + b], a == b ? 0 : 100, a == b ? 0 : 50) << a << ", " << b;
}

// --- somebody first ------------------------------------------------------------------------------
template <class Victims>
std::vector<worker_id> order_of(const Victims& v, letter t, std::uint32_t workers) {
    std::vector<worker_id> order;
    while (const auto victim = v.next(t, workers)) order.push_back(*victim);
    return order;
}

template <class Victims>
void expect_everybody_once(const Victims& v, worker_id thief, std::uint32_t workers, rng& random) {
    const auto order = order_of(v, v.begin(request_of(thief), workers, random), workers);
    std::vector<int> asked(workers, 0);
    for (const worker_id w : order) ++asked.at(w);
    std::vector<int> expected(workers, 1);
    expected[thief] = 0;
    EXPECT_EQ(asked, expected) << workers << " workers, thief " << thief;
}

TEST(LastVictimFirst, AsksWhoGaveTheLastTimeThenTheOthersOnce) {
    rng random(5);
    for (std::uint32_t workers = 2; workers <= 40; ++workers) {
        const worker_id thief = random.below(workers);
        last_victim_first<random_victims> v;
        EXPECT_FALSE(v.begin(request_of(thief), workers, random).preferred_waits) << "nobody gave anything";
        const worker_id generous = (thief + 1 + random.below(workers - 1)) % workers;
        v.gave_to((generous + 1) % workers);  // does not matter
        v.stole_from(generous);
        const letter t = v.begin(request_of(thief), workers, random);
        EXPECT_EQ(order_of(v, t, workers).front(), generous);
        expect_everybody_once(v, thief, workers, random);
    }
}

TEST(LastThiefFirst, AsksWhoTookTheLastTime) {
    rng random(6);
    last_thief_first<random_victims> v;
    v.stole_from(3);  // does not matter
    EXPECT_FALSE(v.begin(request_of(0), 8, random).preferred_waits);
    v.gave_to(5);
    EXPECT_EQ(order_of(v, v.begin(request_of(0), 8, random), 8).front(), 5u);
    expect_everybody_once(v, 0, 8, random);
}

// A holder goes on with the letter alone, whomever it prefers itself.
TEST(LastVictimFirst, TravelsInTheLetter) {
    rng random(7);
    last_victim_first<random_victims> thiefs, holders;
    thiefs.stole_from(4);
    holders.stole_from(2);
    const letter t = thiefs.begin(request_of(1), 6, random);
    EXPECT_EQ(order_of(thiefs, t, 6), order_of(holders, t, 6));
}

// --- the richest of some -------------------------------------------------------------------------
// Lets a letter visit victims until one of them is to answer; the victims in the order of their visits.
std::vector<worker_id> visits(const richest_of<random_victims>& v, letter t, const std::vector<std::size_t>& spare) {
    std::vector<worker_id> visited;
    while (const auto victim = v.next(t, static_cast<std::uint32_t>(spare.size()))) {
        visited.push_back(*victim);
        if (!v.looks_on(t, *victim, spare[*victim])) break;
    }
    return visited;
}

TEST(RichestOf, AsksTheRicherOfTwo) {
    rng random(8);
    const std::vector<std::size_t> spare{0, 10, 20, 30, 40};
    for (int round = 0; round < 200; ++round) {
        const richest_of<random_victims> v;
        const auto visited = visits(v, v.begin(request_of(0), 5, random), spare);
        ASSERT_GE(visited.size(), 2u);
        const worker_id richer = std::max(visited[0], visited[1]);
        EXPECT_EQ(visited.back(), richer);
        EXPECT_EQ(visited.size(), visited[1] == richer ? 2u : 3u);
    }
}

TEST(RichestOf, LooksAtAsManyAsItIsTold) {
    rng random(9);
    const std::vector<std::size_t> spare{0, 300, 10, 20, 1, 2};
    const richest_of<random_victims> v(5);
    const auto visited = visits(v, v.begin(request_of(0), 6, random), spare);
    EXPECT_EQ(visited.back(), 1u) << "all were looked at";
    EXPECT_GE(visited.size(), 5u);
}

TEST(RichestOf, GoesOnToTheOthersWhenNobodyHasAnything) {
    rng random(10);
    const richest_of<random_victims> v;
    letter t = v.begin(request_of(2), 5, random);
    std::vector<int> asked(5, 0);
    while (const auto victim = v.next(t, 5)) {
        ++asked.at(*victim);
        (void)v.looks_on(t, *victim, 0);
    }
    EXPECT_EQ(asked, (std::vector<int>{1, 1, 0, 1, 1}));
}

// Mailboxes that are closed are not looked at; then those before them are asked all the same.
TEST(RichestOf, AsksWhomItHasSeenWhenTheOthersAreClosed) {
    rng random(11);
    const richest_of<random_victims> v;
    letter t = v.begin(request_of(0), 4, random);
    const auto first = v.next(t, 4);
    ASSERT_TRUE(first && v.looks_on(t, *first, 5));
    worker_id last = *first;
    int closed = 0;
    while (const auto victim = v.next(t, 4)) {
        last = *victim;
        closed += *victim != *first ? 1 : 0;
    }
    EXPECT_EQ(closed, 2);
    EXPECT_EQ(last, *first);
}

TEST(RichestOf, HasNoChoiceBetweenTwoWorkers) {
    rng random(12);
    const richest_of<random_victims> v;
    letter t = v.begin(request_of(0), 2, random);
    EXPECT_EQ(v.next(t, 2), 1u);
    EXPECT_FALSE(v.looks_on(t, 1, 9)) << "it answers at once";
}

// --- the nearest ---------------------------------------------------------------------------------
// Workers 4k to 4k + 3 are near each other.
struct places_of_four {
    static worker_id victim(worker_id thief, std::uint32_t i, std::uint32_t) {
        const worker_id place = thief & ~3u;
        if (i < 3) return place + (thief - place + 1 + i) % 4;
        return i - 3 < place ? i - 3 : i + 1;
    }
    static std::pair<std::uint32_t, std::uint32_t> equally_near(worker_id, std::uint32_t i, std::uint32_t workers) {
        return i < 3 ? std::pair(0u, 3u) : std::pair(3u, workers - 1);
    }
};

TEST(NearestFirst, AsksThoseNearbyBeforeTheOthersAndBeginsAnywhere) {
    rng random(13);
    const nearest_first<places_of_four, random_victims> v;
    std::set<worker_id> first, fourth;
    for (int round = 0; round < 500; ++round) {
        const auto order = order_of(v, v.begin(request_of(5), 12, random), 12);
        ASSERT_EQ(order.size(), 11u);
        EXPECT_EQ(std::set<worker_id>(order.begin(), order.begin() + 3), (std::set<worker_id>{4, 6, 7}));
        first.insert(order[0]);
        fourth.insert(order[3]);
        expect_everybody_once(v, 5, 12, random);
    }
    EXPECT_EQ(first.size(), 3u);
    EXPECT_EQ(fourth.size(), 8u);
}

}  // namespace
