// How streams end: by the end of the source, a stop token, an exception in any place, a cancelled runtime.
#include "tests/parley/farm/support.hpp"

#include <chrono>

namespace {

using namespace farm_test;
using namespace parley;

// An item that counts itself.
struct tracked {
    tracked(tally& t, int n) : count(t), number(n) {}
    counted count;
    int number;
};

enum class place { source, farm, stage, lane, sink };

// A pipeline of 2,000 items that throws at item 700, there.
void run_with_failure_in(runtime& rt, place where, tally& alive, sequence order) {
    const auto check = [where](place here, int n) {
        if (where == here && n == 700) throw boom{n};
    };
    const auto pass = [check](place here) {
        return [check, here](tracked t) {
            check(here, t.number);
            return std::make_unique<tracked>(std::move(t));
        };
    };
    const auto open = [](std::unique_ptr<tracked> t) { return tracked(std::move(*t)); };
    (source([&, n = 0]() mutable -> std::optional<tracked> {
         if (n == 2'000) return std::nullopt;
         check(place::source, n);
         return std::optional<tracked>(std::in_place, alive, n++);
     }) |
     farm(pass(place::farm), {.order = order}) | farm(open) | stage(pass(place::stage)) | farm(open) |
     farm(lanes{pass(place::lane), pass(place::lane)}, on_demand{1}, {.order = order}) |
     sink(order, [&](const std::unique_ptr<tracked>& t) {
         check(place::sink, t->number);
     })).run(rt, {.tokens = 50});
}

TEST(Ending, TheFirstExceptionOfAnyPlaceComesOutOfRun) {
    with_each_size([](runtime& rt) {
        for (const place where : {place::source, place::farm, place::stage, place::lane, place::sink})
            for (const sequence order : {ordered, unordered}) {
                SCOPED_TRACE(static_cast<int>(where));
                tally alive{0};
                try {
                    run_with_failure_in(rt, where, alive, order);
                    ADD_FAILURE() << "nothing was thrown";
                } catch (const boom& b) {
                    EXPECT_EQ(b.number, 700);
                }
                EXPECT_EQ(alive, 0) << "what was in flight is destroyed before run() ends";
            }
    });
}

TEST(Ending, ARangeThatThrowsIsASourceThatThrows) {
    runtime rt{{.workers = 2}};
    auto numbers = std::views::iota(0, 1'000) | std::views::transform([](int i) {
                       if (i == 500) throw boom{i};
                       return i;
                   });
    int items = 0;
    EXPECT_THROW((source(numbers) | sink([&](int) { ++items; })).run(rt), boom);
    EXPECT_LE(items, 500);
}

TEST(Ending, OfManyExceptionsOneComesOut) {
    with_each_size([](runtime& rt) {
        for (std::size_t i = 0; i < times(50); ++i)
            EXPECT_THROW(
                (source(std::views::iota(0, 1'000)) | farm([](int n) -> int { throw boom{n}; }) | sink([](int) {})).run(rt),
                boom);
    });
}

TEST(Ending, AFailureStopsASourceWithoutEnd) {
    with_each_size([](runtime& rt) {
        EXPECT_THROW((source(std::views::iota(0)) | farm([](int i) {
                          if (i == 10'000) throw boom{};
                          return i;
                      }) |
                      sink([](int) {
                      })).run(rt),
                     boom);
    });
}

TEST(Ending, APipelineCanRunAgainAfterAFailure) {
    runtime rt{{.workers = 2}};
    bool fails = true;
    int items = 0;
    auto p = source(std::views::iota(0, 100)) | stage([&](int i) {
                 if (fails && i == 50) throw boom{};
                 return i;
             }) |
             sink([&](int) { ++items; });
    EXPECT_THROW(p.run(rt), boom);
    fails = false;
    items = 0;
    p.run(rt);
    EXPECT_EQ(items, 100);
}

TEST(Ending, AStopTokenEndsASourceWithoutEndAndLosesNothing) {
    with_each_size([](runtime& rt) {
        std::stop_source stop;
        std::vector<int> out;
        const run_report r = (source(std::views::iota(0)) | farm([&](int i) {
                                  if (i == 5'000) stop.request_stop();
                                  return i;
                              }) |
                              sink(std::back_inserter(out)))
                                 .run(rt, {.stop = stop.get_token()});
        EXPECT_TRUE(r.stopped);
        EXPECT_EQ(out.size(), r.items);
        EXPECT_EQ(out, up_to(static_cast<int>(r.items)));
        EXPECT_GT(out.size(), 5'000U);
    });
}

TEST(Ending, AStopFromOutsideEndsASourceWithoutEnd) {
    with_each_size([](runtime& rt) {
        std::stop_source stop;
        std::atomic<long> items{0};
        std::thread impatient([&] {
            block_until([&] { return items > 1'000; });
            stop.request_stop();
        });
        (source([] { return std::optional(1); }) | farm([](int i) { return i; }) | sink([&](int i) {
             items += i;
         })).run(rt, {.stop = stop.get_token()});
        impatient.join();
        EXPECT_GT(items, 1'000);
    });
}

TEST(Ending, AStopThatWasRequestedBeforeMakesNothing) {
    runtime rt{{.workers = 2}};
    std::stop_source stop;
    stop.request_stop();
    int items = 0;
    const run_report r = (source(std::views::iota(0)) | sink([&](int) { ++items; })).run(rt, {.stop = stop.get_token()});
    EXPECT_TRUE(r.stopped);
    EXPECT_EQ(items, 0);
}

TEST(Ending, ACancelledRuntimeEndsASourceWithoutEnd) {
    for (const unsigned w : several) {
        runtime rt{{.workers = w}};
        std::atomic<long> items{0};
        std::atomic<bool> over{false};
        std::thread impatient([&] {
            block_until([&] { return items > 1'000; });
            while (!over) {
                rt.cancel();
                std::this_thread::yield();
            }
        });
        EXPECT_THROW((source([] { return std::optional(1); }) | farm([](int i) { return i; }) | sink([&](int i) {
                          items += i;
                      })).run(rt),
                     cancelled);
        over = true;
        impatient.join();
    }
}

}  // namespace
