// The explorer finds each execution of a program exactly once: counted against the axioms (axioms.hpp), for random programs.
#include "tests/lab/memory/axioms.hpp"

#include <lab/memory/calls.hpp>
#include <lab/memory/machine.hpp>
#include <lab/memory/scene.hpp>
#include <lab/memory/search.hpp>

#include <parley/detail/sync/atomic.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

namespace memory = parley::memory;

constexpr int locations = 2;

class random_program {
public:
    explicit random_program(std::uint64_t seed) : random_(seed) {}

    axioms::program operator()(std::size_t threads, std::size_t longest, bool any_fences) {
        axioms::program p(threads);
        for (axioms::thread& t : p) {
            const std::size_t length = 1 + below(longest);
            for (std::size_t i = 0; i < length; ++i) t.push_back(any(any_fences));
        }
        return p;
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }

    axioms::instruction any(bool any_fences) {
        using axioms::does;
        static constexpr std::array kinds{does::load, does::load,  does::load,     does::store,
                                          does::store, does::store, does::exchange, does::add,
                                          does::compare_exchange, does::fence};
        static constexpr std::array all{std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_release,
                                        std::memory_order_acq_rel, std::memory_order_seq_cst};
        const does what = kinds[below(any_fences ? kinds.size() : kinds.size() - 1)];
        std::memory_order order = all[below(all.size())];
        const bool releases = order == std::memory_order_release || order == std::memory_order_acq_rel;
        const bool acquires = order == std::memory_order_acquire || order == std::memory_order_acq_rel;
        if (what == does::load && releases) order = std::memory_order_acquire;
        if (what == does::store && acquires) order = std::memory_order_release;
        if (what == does::fence && order == std::memory_order_relaxed) order = std::memory_order_seq_cst;
        return {what, static_cast<int>(below(locations)), order, 1 + static_cast<int>(below(2)), static_cast<int>(below(3))};
    }

    std::mt19937_64 random_;
};

struct shared_state {
    std::array<parley::sync::atomic<int>, locations> at;
    std::vector<std::vector<int>> seen;
};

int run(const axioms::instruction& i, shared_state& s) {
    using axioms::does;
    auto& at = s.at[static_cast<std::size_t>(i.location)];
    switch (i.what) {
    case does::load: return at.load(i.order);
    case does::store: at.store(i.value, i.order); return 0;
    case does::exchange: return at.exchange(i.value, i.order);
    case does::add: return at.fetch_add(i.value, i.order);
    case does::compare_exchange: {
        int seen = i.expected;
        (void)at.compare_exchange_strong(seen, i.value, i.order, std::memory_order_relaxed);
        return seen;
    }
    case does::fence: memory::fence(i.order); return 0;
    }
    return 0;
}

memory::scene scene_of(const axioms::program& p) {
    return {"random", "", [&p](memory::program& made) {
                auto& s = memory::shared<shared_state>();
                s.seen.resize(p.size());
                for (std::size_t t = 0; t < p.size(); ++t) {
                    s.seen[t].reserve(p[t].size());
                    made.thread([&p, &s, t] {
                        for (const axioms::instruction& i : p[t]) s.seen[t].push_back(run(i, s));
                    });
                }
                made.finally([&s] {
                    std::vector<long> all;
                    for (const auto& thread : s.seen) all.insert(all.end(), thread.begin(), thread.end());
                    for (const auto& at : s.at) all.push_back(at.load());
                    memory::outcome(all);
                });
            }};
}

std::string text_of(const axioms::program& p) {
    std::string text;
    for (const axioms::thread& t : p) {
        for (const axioms::instruction& i : t)
            text += std::to_string(static_cast<int>(i.what)) + "(l" + std::to_string(i.location) + " " +
                    memory::name_of(i.order) + " " + std::to_string(i.value) + " " + std::to_string(i.expected) + ") ";
        text += "\n";
    }
    return text;
}

void compare(std::uint64_t seed, std::size_t threads, std::size_t longest, bool any_fences, int programs) {
    memory::machine machine;
    random_program next(seed);
    std::uint64_t executions = 0;
    for (int n = 0; n < programs && !testing::Test::HasFailure(); ++n) {
        const axioms::program p = next(threads, longest, any_fences);
        const auto expected = axioms::executions_of(p, locations);
        const memory::search_result found = memory::search(machine, scene_of(p), {});
        EXPECT_TRUE(found.is_complete) << found.found.value_or("");
        EXPECT_EQ(found.outcomes, expected) << "program " << n << "\n" << text_of(p);
        executions += found.executions;
    }
    std::printf("%llu executions\n", static_cast<unsigned long long>(executions));
}

TEST(RandomPrograms, OfTwoThreads) { compare(1, 2, 3, false, 400); }
TEST(RandomPrograms, OfTwoThreadsWithFences) { compare(2, 2, 3, true, 400); }
TEST(RandomPrograms, OfThreeThreads) { compare(3, 3, 2, false, 300); }
TEST(RandomPrograms, OfThreeThreadsWithFences) { compare(4, 3, 2, true, 300); }
TEST(RandomPrograms, OfFourThreads) { compare(5, 4, 2, true, 40); }

}  // namespace
