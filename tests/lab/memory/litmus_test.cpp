// Each litmus test has the outcomes that the literature gives, and as many executions as the axioms count.
#include "tests/lab/memory/axioms.hpp"

#include <lab/memory/litmus.hpp>
#include <lab/memory/machine.hpp>
#include <lab/memory/search.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace memory = parley::memory;

axioms::instruction as_axioms_want(const memory::instruction& i) {
    static const std::map<memory::does, axioms::does> kinds{{memory::does::load, axioms::does::load},
                                                            {memory::does::store, axioms::does::store},
                                                            {memory::does::add, axioms::does::add},
                                                            {memory::does::exchange, axioms::does::exchange},
                                                            {memory::does::fence, axioms::does::fence}};
    return {kinds.at(i.what), static_cast<int>(i.location), i.order, i.value, 0};
}

std::uint64_t count_by_axioms(const memory::litmus_program& l) {
    axioms::program p(l.threads.size());
    for (std::size_t t = 0; t < p.size(); ++t)
        for (const memory::instruction& i : l.threads[t]) p[t].push_back(as_axioms_want(i));
    std::uint64_t count = 0;
    for (const auto& [outcome, executions] : axioms::executions_of(p, 3)) count += executions;
    return count;
}

TEST(Litmus, OutcomesAreThoseOfTheLiterature) {
    memory::machine threads;
    for (const memory::scene& s : memory::litmus_tests()) {
        const memory::search_result r = memory::search(threads, s, {});
        std::vector<std::string> outcomes;
        for (const auto& [outcome, count] : r.outcomes) outcomes.push_back(outcome);
        EXPECT_EQ(outcomes, s.outcomes) << s.name;
        EXPECT_TRUE(r.is_complete) << s.name;
        EXPECT_EQ(r.executions, count_by_axioms(memory::litmus_of(s.asks))) << s.name;
    }
}

TEST(Litmus, TextsThatAreNoneAreRefused) {
    for (const char* text : {"w=1.rlx", "x=1", "x?", "f.", "x?acquire", "x = 1.rlx"})
        EXPECT_THROW(static_cast<void>(memory::litmus_of(text)), std::invalid_argument) << text;
}

}  // namespace
