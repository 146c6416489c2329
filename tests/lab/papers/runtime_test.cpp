// The library with the papers' machine (lab/papers/machine.hpp): what it refuses, and what it shows.
#include <parley/parley.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/parley/api/ways.hpp"

namespace {

using parley::options;
using parley::runtime;
using parley::protocol::circulating;
using parley::protocol::detection;
using parley::threading::tuning;

std::string dump_of(const runtime& rt) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const out = open_memstream(&text, &size);
    rt.dump_state(out);
    std::fclose(out);
    const std::string shown(text, size);
    std::free(text);
    return shown;
}

TEST(PapersRuntime, RefusesWhatItsProtocolDoesNotHave) {
    const auto makes = [](const options& o, const tuning& t) { const runtime rt(o, t); };
    EXPECT_NO_THROW(makes({.workers = 3}, {}));
    EXPECT_THROW(makes({.workers = 3}, {.requests = 2}), parley::usage_error);
    EXPECT_THROW(makes({.workers = 3}, {.dry = parley::threading::dry_mailbox::closed}), parley::usage_error);
    const tuning dedicated{.machine = {.detects = detection::by_dedicated_manager}};
    EXPECT_NO_THROW(makes({.workers = 3}, dedicated));
    EXPECT_THROW(makes({.workers = 2}, dedicated), parley::usage_error);
    EXPECT_THROW(makes({.workers = 3},
                       {.machine = {.detects = detection::by_shared_counter, .revokes = parley::protocol::revocation::own}}),
                 parley::usage_error);
}

TEST(PapersRuntime, ItsWorkersCannotGo) {
    runtime rt({.workers = 3});
    EXPECT_THROW(rt.resize(2), parley::usage_error);
}

TEST(PapersRuntime, ADumpSaysWhereLettersAre) {
    const runtime rt({.workers = 2});
    EXPECT_NE(dump_of(rt).find("active; letter home; letter home"), std::string::npos) << dump_of(rt);
}

void tree(std::atomic<int>& nodes, int depth) {
    ++nodes;
    if (depth == 0) return;
    for (int i = 0; i < 2; ++i) parley::spawn([&nodes, depth] { tree(nodes, depth - 1); });
}

TEST(PapersRuntime, BarriersAwaitWhatIsSpawned) {
    for (const tuning& way : api_test::some_ways()) {
        runtime rt({.workers = 3}, way);
        rt.run([] {
            std::atomic<int> nodes{0};
            tree(nodes, 9);
            parley::barrier();
            EXPECT_EQ(nodes, 1023);
        });
    }
}

TEST(PapersRuntime, RunsSerially) {
    runtime rt({.serial = true}, {.machine = {.detects = detection::by_dedicated_manager}});
    EXPECT_EQ(rt.run([] { return parley::async([] { return 5; }).get(); }), 5);
}

}  // namespace
