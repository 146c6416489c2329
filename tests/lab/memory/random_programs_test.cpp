// The explorer finds each execution of a program exactly once: counted against the axioms (axioms.hpp), for random programs.
#include "tests/lab/memory/axioms.hpp"
#include "tests/seeds.hpp"

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

constexpr int locations = 3;

// What programs are made of.
struct mixture {
    std::vector<axioms::does> instructions;
    std::vector<std::memory_order> orders;
    std::size_t threads, longest, locations;
};

class random_program {
public:
    random_program(std::uint64_t seed, const mixture& of) : random_(seed), of_(of) {}

    axioms::program next() {
        axioms::program p(of_.threads);
        for (axioms::thread& t : p) {
            const std::size_t length = 1 + below(of_.longest);
            for (std::size_t i = 0; i < length; ++i) t.push_back(any());
        }
        return p;
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }

    axioms::instruction any() {
        using axioms::does;
        const does what = of_.instructions[below(of_.instructions.size())];
        std::memory_order order = of_.orders[below(of_.orders.size())];
        const bool releases = order == std::memory_order_release || order == std::memory_order_acq_rel;
        const bool acquires = order == std::memory_order_acquire || order == std::memory_order_acq_rel;
        if (what == does::load && releases) order = std::memory_order_acquire;
        if (what == does::store && acquires) order = std::memory_order_release;
        if (what == does::fence && order == std::memory_order_relaxed) order = std::memory_order_seq_cst;
        return {what, static_cast<int>(below(of_.locations)), order, 1 + static_cast<int>(below(2)),
                static_cast<int>(below(3))};
    }

    std::mt19937_64 random_;
    const mixture of_;
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

void compare(const mixture& of, std::uint64_t programs) {
    memory::machine machine;
    for (const std::uint64_t seed : parley_tests::seeds(programs)) {
        const axioms::program p = random_program(seed, of).next();
        const memory::search_result found = memory::search(machine, scene_of(p), {});
        ASSERT_TRUE(found.is_complete) << found.found.value_or("");
        ASSERT_EQ(found.outcomes, axioms::executions_of(p, locations)) << "seed " << seed << "\n" << text_of(p);
    }
}

using axioms::does;
const std::vector<std::memory_order> all_orders{std::memory_order_relaxed, std::memory_order_acquire,
                                                std::memory_order_release, std::memory_order_acq_rel,
                                                std::memory_order_seq_cst};
const std::vector<std::memory_order> mostly_sc{std::memory_order_seq_cst, std::memory_order_seq_cst,
                                               std::memory_order_acq_rel, std::memory_order_relaxed};
const std::vector<does> changes{does::load,     does::load, does::store,           does::store,
                                does::exchange, does::add,  does::compare_exchange};
const std::vector<does> with_fences{does::load, does::load, does::store, does::store, does::add, does::fence};
const std::vector<does> reads_and_writes{does::load, does::store};

TEST(RandomPrograms, OfTwoThreads) { compare({changes, all_orders, 2, 3, 2}, 400); }
TEST(RandomPrograms, OfTwoThreadsWithFences) { compare({with_fences, all_orders, 2, 4, 2}, 200); }
TEST(RandomPrograms, OfThreeThreads) { compare({changes, all_orders, 3, 2, 2}, 300); }
TEST(RandomPrograms, OfThreeThreadsWithFences) { compare({with_fences, mostly_sc, 3, 3, 2}, 100); }
TEST(RandomPrograms, OfThreeThreadsMostlySeqCst) { compare({reads_and_writes, mostly_sc, 3, 3, 3}, 600); }
TEST(RandomPrograms, OfFourThreads) { compare({with_fences, mostly_sc, 4, 2, 2}, 60); }

}  // namespace
