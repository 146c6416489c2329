// The pull end: streams whose items others take.
#include "tests/parley/farm/support.hpp"

#include <chrono>

namespace {

using namespace farm_test;
using namespace parley;
using namespace std::chrono_literals;

TEST(PullEnd, GivesTheItemsInOrder) {
    with_each_size([](runtime& rt) {
        pull_end<int> out(rt);
        std::thread runs([&] { (source(std::views::iota(0, 5'000)) | farm([](int i) { return i; }) | sink(out)).run(rt); });
        std::vector<int> got;
        while (const auto i = out.pull()) got.push_back(*i);
        runs.join();
        EXPECT_EQ(got, up_to(5'000));
        EXPECT_EQ(out.pull(), std::nullopt);
    });
}

TEST(PullEnd, HoldsTheTokensOfWhatIsNotPulled) {
    runtime rt{{.workers = 2}};
    pull_end<int> out(rt);
    gauge g;
    std::thread runs([&] {
        (source([&, i = 0]() mutable -> std::optional<int> {
             if (i == 500) return std::nullopt;
             g.up();
             return i++;
         }) |
         farm([](int i) { return i; }) | sink(out))
            .run(rt, {.tokens = 9});
    });
    std::this_thread::sleep_for(20ms);
    EXPECT_LE(g.most(), 9);
    int n = 0;
    while (out.pull()) {
        g.down();
        ++n;
    }
    runs.join();
    EXPECT_EQ(n, 500);
    EXPECT_LE(g.most(), 10) << "and the one that has just been pulled";
}

TEST(PullEnd, OneTaskMayRunThePipelineAndPullFromIt) {
    with_each_size([](runtime& rt) {
        rt.run([] {
            pull_end<int> out;
            auto running =
                async([&] { (source(std::views::iota(0, 1'000)) | farm([](int i) { return i; }) | sink(out)).run(); });
            std::vector<int> got;
            while (const auto i = out.pull()) got.push_back(*i);
            running.get();
            EXPECT_EQ(got, up_to(1'000));
        });
    });
}

TEST(PullEnd, FeedsAnotherPipeline) {
    with_each_size([](runtime& rt) {
        rt.run([] {
            pull_end<int> middle;
            auto first =
                async([&] { (source(std::views::iota(0, 1'000)) | farm([](int i) { return i; }) | sink(middle)).run(); });
            std::vector<int> got;
            (source([&] { return middle.pull(); }) | farm([](int i) { return i; }) | sink(std::back_inserter(got))).run();
            first.get();
            EXPECT_EQ(got, up_to(1'000));
        });
    });
}

TEST(PullEnd, WhoClosesItStopsTheSource) {
    with_each_size([](runtime& rt) {
        tally alive{0};
        {
            auto out = std::make_unique<pull_end<std::unique_ptr<counted>>>(rt);
            std::thread runs([&, p = source([&] { return std::optional(std::make_unique<counted>(alive)); }) |
                                     sink(*out)]() mutable { EXPECT_TRUE(p.run(rt).stopped); });
            for (int i = 0; i < 100; ++i) EXPECT_TRUE(out->pull());
            out.reset();
            runs.join();
        }
        EXPECT_EQ(alive, 0);
    });
}

TEST(PullEnd, AFailureComesOutOfRunThoughNobodyPulls) {
    with_each_size([](runtime& rt) {
        tally alive{0};
        pull_end<std::unique_ptr<counted>> out(rt);
        EXPECT_THROW((source([&, n = 0]() mutable -> std::optional<std::unique_ptr<counted>> {
                          if (n++ == 5) throw boom{};
                          return std::make_unique<counted>(alive);
                      }) |
                      sink(out))
                         .run(rt, {.tokens = 20}),
                     boom);
        EXPECT_EQ(alive, 0);
        EXPECT_FALSE(out.pull());
    });
}

TEST(PullEnd, ATaskThatWaitsInPullIsCancelled) {
    runtime rt{{.workers = 1}};
    EXPECT_THROW(rt.run([&] {
        pull_end<int> out;
        auto running = async([&] { (source(up_to(3)) | sink(out)).run(); });
        rt.cancel();  // before the task that would run it has begun
        (void)out.pull();
    }),
                 cancelled);
}

TEST(PullEnd, LosesNothingBetweenSeveralTasks) {
    with_each_size([](runtime& rt) {
        rt.run([] {
            const int n = static_cast<int>(times(3'000));
            pull_end<int> out;
            std::atomic<long> sum{0};
            std::atomic<int> made{0};
            std::vector<future<void>> pullers;
            for (int t = 0; t < 4; ++t)
                pullers.push_back(async([&] {
                    while (const auto i = out.pull()) sum += *i;
                    EXPECT_EQ(made, n) << "it is over";
                }));
            const auto next = [&] { return made < n ? std::optional(made++) : std::nullopt; };
            auto running = async([&] { (source(next) | sink(out)).run({.tokens = 2}); });
            for (auto& each : pullers) each.get();
            running.get();
            EXPECT_EQ(sum, static_cast<long>(n) * (n - 1) / 2);
        });
    });
}

TEST(PullEnd, StaysWithTheRunThatHasIt) {
    with_each_size([](runtime& rt) {
        pull_end<int> out(rt);
        std::thread runs([&] { (source(up_to(5)) | sink(out)).run(rt); });
        EXPECT_EQ(out.pull(), 0);  // and the other items keep it open
        runtime elsewhere{{.workers = 1}};
        EXPECT_THROW((source(up_to(3)) | sink(out)).run(elsewhere), usage_error);
        EXPECT_THROW((source(up_to(3)) | sink(out)).run(elsewhere, {.tokens = 0}), usage_error);
        for (int i = 1; i < 5; ++i) EXPECT_EQ(out.pull(), i);
        EXPECT_EQ(out.pull(), std::nullopt);
        runs.join();
    });
}

TEST(PullEnd, MayBeClosedWhileARunBegins) {
    with_each_size([](runtime& rt) {
        for (std::size_t i = 0; i < times(200); ++i) {
            pull_end<int> out(rt);
            std::atomic<bool> begins{false};
            std::thread impatient([&] {
                block_until([&] { return begins.load(); });
                for (std::size_t k = 0; k < i % 16; ++k) std::this_thread::yield();
                out.close();
            });
            auto p = source([] { return std::optional(1); }) | farm([](int n) { return n; }) | sink(out);
            begins = true;
            EXPECT_TRUE(p.run(rt).stopped);
            impatient.join();
        }
    });
}

// Closes its end when it is destroyed.
struct closing {
    pull_end<closing>* end;
    std::atomic<bool>* armed;
    ~closing() {
        if (*armed) end->close();
    }
};

TEST(PullEnd, MayBeUsedByWhatDestroysItsItems) {
    with_each_size([](runtime& rt) {
        for (const bool pulls : {false, true}) {
            pull_end<closing> out(rt);
            std::atomic<bool> armed{false};
            std::thread runs([&] {
                (source([&] { return std::optional<closing>({&out, &armed}); }) | sink(out)).run(rt, {.tokens = 4});
            });
            EXPECT_TRUE(out.pull());
            armed = true;
            if (pulls) (void)out.pull();
            else out.close();
            runs.join();
            armed = false;
        }
    });
}

TEST(PullEnd, WhoWaitsIsToldThatThePipelineCouldNotRun) {
    runtime rt{{.workers = 2}};
    pull_end<int> out(rt);
    std::thread reader([&] { EXPECT_FALSE(out.pull()); });
    EXPECT_THROW((source(up_to(3)) | sink(out)).run(rt, {.tokens = 0}), usage_error);
    reader.join();
}

}  // namespace
