// The choice of victims: nobody is asked twice by one request, and nobody is preferred.
#include <parley/protocol/victim.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace {

using namespace parley::protocol;
using parley::base::rng;

// How often each worker is asked in one round.
std::vector<int> one_round(worker_id thief, std::uint32_t workers, rng& random) {
    std::vector<int> asked(workers, 0);
    travel t = random_victims::begin(request_of(thief), workers, random);
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
    travel t = random_victims::begin(0, 1, random);
    EXPECT_FALSE(random_victims::next(t, 1));
}

// The largest number of workers that products of hops and strides meet.
TEST(RandomVictims, DoesNotOverflowWithManyWorkers) {
    constexpr std::uint16_t workers = most_workers;
    travel t{.request = 0, .start = workers - 2, .stride = workers - 3, .hop = workers - 2};
    const std::uint64_t victims = workers - 1;
    const std::uint64_t expected = (t.start + std::uint64_t{t.hop} * t.stride) % victims + 1;
    EXPECT_EQ(random_victims::next(t, workers), static_cast<worker_id>(expected));
}

TEST(RandomVictims, StaysExhausted) {
    rng random(1);
    travel t = random_victims::begin(3, 5, random);
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(random_victims::next(t, 5));
    for (int i = 0; i < 4; ++i) ASSERT_FALSE(random_victims::next(t, 5));
    EXPECT_EQ(t.hop, 4u);
}

// What travels is all that there is: a holder elsewhere goes on where the last one stopped.
TEST(RandomVictims, GoesOnFromACopyOfTheMessage) {
    rng random(9);
    travel here = random_victims::begin(2, 11, random);
    (void)random_victims::next(here, 11);
    travel there = here;
    while (const auto victim = random_victims::next(here, 11))
        EXPECT_EQ(random_victims::next(there, 11), victim);
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
        const travel t = random_victims::begin(0, workers, random);
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
            travel t = random_victims::begin(request_of(thief), workers, random);
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
        travel t = random_victims::begin(0, workers, random);
        const worker_id first = random_victims::next(t, workers).value();
        ++pairs.at(first * workers + random_victims::next(t, workers).value());
    }
    for (worker_id a = 1; a < workers; ++a)
        for (worker_id b = 1; b < workers; ++b)
            EXPECT_NEAR(pairs[a * workers + b], a == b ? 0 : 100, a == b ? 0 : 50) << a << ", " << b;
}

}  // namespace
