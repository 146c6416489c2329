// The lobby with many depositors and many takers, and the bell that goes with it.
#include <parley/detail/protocol/spreading.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/lobby.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

namespace {

using namespace channel_test;
using parley::sync::attention;
using parley::sync::lobby;

// A request as the tests use it: what lies beside the number is plain memory, which belongs to the
// depositor until it deposits, and to the taker after that until it answers.
struct request {
    long asked = 0;
    long taken = 0;
    std::atomic<long> answered{0};
};

constexpr std::uint32_t numbers = 130;  // three words

// Deposits its share of the numbers over and over, each again when it was answered.
template <class Ring>
void deposit_share(lobby& l, std::vector<request>& all, unsigned me, unsigned depositors, long rounds, Ring ring) {
    for (long round = 1; round <= rounds; ++round) {
        for (std::uint32_t r = me; r < numbers; r += depositors) {
            all[r].asked = round;
            if (l.deposit(r)) ring();
        }
        for (std::uint32_t r = me; r < numbers; r += depositors) {
            spin_until([&] { return all[r].answered.load(std::memory_order_acquire) == round; });
            EXPECT_EQ(all[r].taken, round);
        }
    }
}

void answer(request& r) {
    ++r.taken;
    EXPECT_EQ(r.taken, r.asked);
    r.answered.store(r.taken, std::memory_order_release);
}

// Each taker takes by a function of its own, which make_take(its number) returns.
template <class MakeTake>
void expect_each_number_taken_once(lobby& l, const MakeTake& make_take) {
    constexpr unsigned depositors = 3;
    constexpr unsigned takers = 4;
    constexpr long rounds = 60;
    std::vector<request> all(numbers);
    std::atomic<long> left{rounds * numbers};
    in_parallel(depositors + takers, [&](unsigned me) {
        if (me < depositors) return deposit_share(l, all, me, depositors, rounds, [] {});
        auto take = make_take(me);
        while (left.load(std::memory_order_relaxed) > 0) {
            if (const std::optional<std::uint32_t> r = take()) {
                answer(all[*r]);
                left.fetch_sub(1, std::memory_order_relaxed);
            } else {
                std::this_thread::yield();
            }
        }
    });
    EXPECT_TRUE(l.empty());
}

TEST(LobbyStress, EachDepositedNumberIsTakenExactlyOnce) {
    lobby l(numbers);
    expect_each_number_taken_once(l, [&](unsigned me) {
        return [&l, start = me * 37 % numbers]() mutable {
            const auto r = l.take(start);
            if (r) start = *r + 1;
            return r;
        };
    });
}

// A lobby in which all workers are awake, and most of them do not rest.
struct lobby_of_many {
    lobby& all;

    static std::uint32_t count_awake(std::uint32_t first, std::uint32_t last) { return first < last ? last - first : 0; }
    static std::uint32_t count_coming(std::uint32_t, std::uint32_t) { return 0; }
    std::uint32_t count_between(std::uint32_t first, std::uint32_t last) const { return all.count_between(first, last); }
    std::optional<std::uint32_t> find_between(std::uint32_t first, std::uint32_t last, std::uint32_t before) const {
        return all.find_between(first, last, before);
    }
    bool take_out(std::uint32_t number) const { return all.take_out(number); }
    template <class Wanted>
    std::optional<std::uint32_t> take(std::uint32_t start, const Wanted& is_wanted) const {
        return all.take(start, is_wanted);
    }
};

// Half of the takers look for the middle one of those in a range (protocol/spreading.hpp). No number of a taker itself is in
// its range, so the others take those.
TEST(LobbyStress, TheMiddleOneIsTakenExactlyOnce) {
    namespace protocol = parley::protocol;
    static constexpr std::uint32_t seats = numbers / protocol::most_requests;
    lobby l(numbers);
    expect_each_number_taken_once(l, [&](unsigned me) {
        return [&l, me, range = seats - 1]() mutable -> std::optional<std::uint32_t> {
            if (me % 2 != 0) return l.take(me);
            lobby_of_many many{l};
            const auto found = protocol::take_middle(me * 7, range, seats, many, [](std::uint32_t) { return true; });
            range = found && found->behind > 1 ? found->behind - 1 : seats - 1;
            return found ? std::optional(found->request) : std::nullopt;
        };
    });
}

// Who only looks may read what a depositor has written before (ThreadSanitizer judges that).
TEST(LobbyStress, WhoLooksSeesWhatWasWrittenBefore) {
    lobby l(numbers);
    std::array<long, numbers> written{};
    in_parallel(3, [&](unsigned me) {
        if (me < 2) {
            for (std::uint32_t r = me; r < numbers; r += 2) {
                written[r] = r + 1;
                l.deposit(r);
            }
            return;
        }
        std::uint32_t seen = 0;
        while (seen < numbers) {
            seen = 0;
            static_cast<void>(l.any([&](std::uint32_t r) {
                EXPECT_EQ(written[r], r + 1);
                ++seen;
                return false;
            }));
        }
    });
}

// Takers fight for the same numbers: all search from the same start.
TEST(LobbyStress, OneOfAllTakersGetsTheNumber) {
    constexpr long rounds = 1500;
    constexpr unsigned takers = 4;
    std::vector<std::unique_ptr<lobby>> lobbies;
    for (long round = 0; round < rounds; ++round) {
        lobbies.push_back(std::make_unique<lobby>(3));
        for (std::uint32_t r = 0; r < 3; ++r) lobbies.back()->deposit(r);
    }
    std::vector<std::array<std::atomic<int>, 3>> taken(rounds);
    pace<takers> together;
    in_parallel(takers, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            const auto i = static_cast<std::size_t>(round);
            together.keep(me, round);
            while (const auto r = lobbies[i]->take(0)) ++taken[i].at(*r);
        }
    });
    for (const auto& round : taken)
        for (const auto& count : round) ASSERT_EQ(count, 1);
}

TEST(LobbyStress, ExactlyOneOfManyDepositorsFindsTheWordEmpty) {
    constexpr long rounds = 3000;
    constexpr unsigned depositors = 4;
    std::vector<std::unique_ptr<lobby>> lobbies;
    for (long round = 0; round < rounds; ++round) lobbies.push_back(std::make_unique<lobby>(64));
    std::vector<std::atomic<int>> found_empty(rounds);
    pace<depositors> together;
    in_parallel(depositors, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            const auto i = static_cast<std::size_t>(round);
            together.keep(me, round);
            if (lobbies[i]->deposit(me * 16)) ++found_empty[i];
        }
    });
    for (const auto& count : found_empty) ASSERT_EQ(count, 1);
}

constexpr attention::bits bell = 1;

// As the protocol feeds the lobby: takes while there is something; lowers its bell when there seems
// to be nothing, and looks once more.
void feed(lobby& l, attention& word, std::uint32_t start, std::vector<request>& all, std::atomic<long>& left) {
    for (;;) {
        if (const auto r = l.take(start)) {
            start = *r + 1;
            answer(all[*r]);
            left.fetch_sub(1, std::memory_order_relaxed);
            continue;
        }
        word.lower(bell);
        if (l.empty()) return;
        word.raise(bell);
    }
}

// Takers look into the lobby only when their bell has rung; depositors ring only when their word was
// empty, after depositing. A request that nobody was told of would stop the test for ever.
TEST(LobbyStress, TheBellLosesNoRequest) {
    constexpr unsigned depositors = 3;
    constexpr unsigned takers = 3;
    constexpr long rounds = 60;
    lobby l(numbers);
    std::vector<request> all(numbers);
    std::array<attention, takers> words;
    std::atomic<long> left{rounds * numbers};
    const auto ring = [&] {
        for (attention& word : words) word.raise(bell);
    };
    in_parallel(depositors + takers, [&](unsigned me) {
        if (me < depositors) return deposit_share(l, all, me, depositors, rounds, ring);
        attention& mine = words[me - depositors];
        while (left.load(std::memory_order_relaxed) > 0) {
            if (mine.any()) feed(l, mine, me * 41 % numbers, all, left);
            else std::this_thread::yield();
        }
    });
    EXPECT_TRUE(l.empty());
}

// The narrowest case: one number, one taker, nobody else who might ring.
TEST(LobbyStress, TheBellLosesNoSingleRequest) {
    constexpr long rounds = 20'000;
    lobby l(1);
    std::vector<request> all(1);
    attention word;
    std::atomic<long> left{rounds};
    in_parallel(2, [&](unsigned me) {
        if (me == 0) {
            for (long round = 1; round <= rounds; ++round) {
                all[0].asked = round;
                if (l.deposit(0)) word.raise(bell);
                spin_until([&] { return all[0].answered.load(std::memory_order_acquire) == round; });
            }
            return;
        }
        while (left.load(std::memory_order_relaxed) > 0) {
            spin_until([&] { return word.any(); });
            feed(l, word, 0, all, left);
        }
    });
}

}  // namespace
