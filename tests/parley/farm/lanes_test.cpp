// Lanes: serial workers with a state of their own, under every scheduler, on the pool and on threads of their own.
#include "tests/parley/farm/support.hpp"

#include <chrono>
#include <set>
#include <string>

namespace {

using namespace farm_test;
using namespace parley;

// Every schedule, by name.
template <class Body>
void with_each_schedule(Body body) {
    const std::pair<const char*, any_schedule> all[] = {
        {"work stealing", work_stealing{}},
        {"round robin", round_robin{}},
        {"on demand 0", on_demand{0}},
        {"on demand 2", on_demand{2}},
        {"arrs", adaptive_round_robin{.chunk = 40}},
    };
    for (const auto& [name, schedule] : all) {
        SCOPED_TRACE(name);
        body(schedule);
    }
}

// A lane that notices when it is entered twice at once.
struct serial_body {
    explicit serial_body(std::atomic<int>& w) : wrong(&w) {}
    int operator()(int i) {
        *wrong += inside->exchange(true);
        *wrong += i < last;
        last = i;
        busy(50);
        *inside = false;
        return i;
    }
    std::atomic<int>* wrong;
    std::shared_ptr<std::atomic<bool>> inside = std::make_shared<std::atomic<bool>>(false);
    int last = -1;
};

TEST(Lanes, KeepTheOrderOfTheirItems) {
    with_each_size([](runtime& rt) {
        with_each_schedule([&](const any_schedule& schedule) {
            std::vector<int> out;
            const int n = static_cast<int>(times(5'000));
            const auto body = [](int i) {
                busy(i % 50 == 0 ? 1'000 : 0);
                return i;
            };
            (source(std::views::iota(0, n)) | farm(lanes{body, body, body}, schedule) | sink([&](int i) {
                 out.push_back(i);
             })).run(rt);
            EXPECT_EQ(out, up_to(n));
        });
    });
}

TEST(Lanes, LoseAndDoubleNothingUnordered) {
    with_each_size([](runtime& rt) {
        with_each_schedule([&](const any_schedule& schedule) {
            std::vector<int> out;
            const int n = static_cast<int>(times(5'000));
            (source(std::views::iota(0, n)) |
             farm([](int i) { return i; }, {.workers = 3, .schedule = schedule, .order = unordered}) | sink([&](int i) {
                 out.push_back(i);
             })).run(rt);
            std::ranges::sort(out);
            EXPECT_EQ(out, up_to(n));
        });
    });
}

TEST(Lanes, HandleOneItemAtATimeInTheOrderInWhichTheyGetThem) {
    with_each_size([](runtime& rt) {
        with_each_schedule([&](const any_schedule& schedule) {
            std::atomic<int> wrong{0};
            (source(std::views::iota(0, static_cast<int>(times(3'000)))) |
             farm(lanes{serial_body(wrong), serial_body(wrong), own_thread(serial_body(wrong))}, schedule) | sink([](int) {
             })).run(rt);
            EXPECT_EQ(wrong, 0);
        });
    });
}

TEST(Lanes, RoundRobinIsStrictAndReproducible) {
    with_each_size([](runtime& rt) {
        std::vector<std::string> out;
        const auto lane = [](char name) { return [name](int i) { return name + std::to_string(i); }; };
        (source(up_to(5)) | farm(lanes{lane('a'), lane('b')}, round_robin{}) | sink(std::back_inserter(out))).run(rt);
        EXPECT_EQ(out, (std::vector<std::string>{"a0", "b1", "a2", "b3", "a4"}));
    });
}

// on_demand{1} that counts what the first lane is given.
struct counted_on_demand {
    struct balancer {
        std::optional<std::size_t> choose(const lane_levels& levels) {
            const auto lane = asked.choose(levels);
            if (lane == 0U) ++*to_first;
            return lane;
        }
        on_demand::balancer asked;
        std::atomic<int>* to_first;
    };
    [[nodiscard]] balancer begin(std::size_t lanes) const { return {on_demand{1}.begin(lanes), to_first}; }
    std::atomic<int>* to_first;
};

TEST(Lanes, OnDemandGivesNoMoreThanTheDepth) {
    runtime rt{{.workers = 2}};
    // The first lane is stuck: with depth 1 it has two items, and all others go to the second one.
    std::atomic<int> done{0};
    std::atomic<int> stuck_items{0}, given{0};
    (source(std::views::iota(0, 100)) |
     farm(lanes{own_thread([&](int i) {
                    ++stuck_items;
                    block_until([&] { return done >= 98 || given > 2; });
                    return i;
                }),
                [&](int i) {
                    ++done;
                    return i;
                }},
          counted_on_demand{&given}, {.order = unordered}) |
     sink([](int) {
     })).run(rt, {.tokens = 200});
    EXPECT_LE(given, 2);
    EXPECT_EQ(stuck_items, given);
    EXPECT_EQ(stuck_items + done, 100);
}

TEST(Lanes, IdleLanesTakeFromACommonQueueByDefault) {
    runtime rt{{.workers = 2}};
    std::atomic<int> done{0};
    (source(std::views::iota(0, 100)) |
     farm(lanes{own_thread([&](int i) {
                    block_until([&] { return done == 99; });
                    return i;
                }),
                [&](int i) {
                    ++done;
                    return i;
                }}) |
     sink([](int) {
     })).run(rt, {.tokens = 200});
    EXPECT_EQ(done, 99);
}

TEST(Lanes, AFasterLaneGetsMoreFromArrs) {
    runtime rt{{.workers = 2}};
    int fast = 0, slow = 0;
    const auto lane = [](std::chrono::microseconds t, int& count) {
        return own_thread([t, &count](int i) {
            std::this_thread::sleep_for(t);
            ++count;
            return i;
        });
    };
    using std::chrono::microseconds;
    (source(std::views::iota(0, 600)) |
     farm(lanes{lane(microseconds(100), fast), lane(microseconds(2'000), slow)}, adaptive_round_robin{.chunk = 20}) |
     sink([](int) {
     })).run(rt);
    EXPECT_EQ(fast + slow, 600);
    EXPECT_GT(fast, slow);
}

TEST(Lanes, MayBeOfDifferentKindsAndHaveState) {
    with_each_size([](runtime& rt) {
        struct counting {
            int operator()(const std::string& s) { return static_cast<int>(s.size()) + 0 * ++calls; }
            int calls = 0;
        };
        int own = 0;
        long sum = 0;
        (source(std::vector<std::string>(200, "abc")) |
         farm(lanes{counting{},
                    [&own](std::string s) {
                        own += 1;
                        return static_cast<int>(s.size());
                    }}) |
         sink([&](int i) {
             sum += i;
         })).run(rt);
        EXPECT_EQ(sum, 600);
    });
}

TEST(Lanes, FilterAndMakeManyOfOne) {
    with_each_size([](runtime& rt) {
        with_each_schedule([&](const any_schedule& schedule) {
            std::vector<int> out, expected;
            for (int i = 0; i < 500; i += 2)
                for (int k = 0; k < i % 5; ++k) expected.push_back(10 * i + k);
            const auto even = [](int i) { return i % 2 == 0 ? std::optional(i) : std::nullopt; };
            const auto many = [](int i, emitter<int>& emit) {
                for (int k = 0; k < i % 5; ++k) emit(10 * i + k);
            };
            (source(std::views::iota(0, 500)) | farm(lanes{even, even}, schedule) | farm(lanes{many, many}, schedule) |
             sink(std::back_inserter(out)))
                .run(rt);
            EXPECT_EQ(out, expected);
        });
    });
}

TEST(Lanes, TakeMoveOnlyItems) {
    with_each_size([](runtime& rt) {
        std::vector<std::unique_ptr<int>> out;
        const auto pass = [](std::unique_ptr<int> p) { return p; };
        (source([n = 0]() mutable -> std::optional<std::unique_ptr<int>> {
             if (n == 300) return std::nullopt;
             return std::make_unique<int>(n++);
         }) |
         farm(lanes{pass, own_thread(pass)}, on_demand{1}) | sink(std::back_inserter(out)))
            .run(rt);
        ASSERT_EQ(out.size(), 300U);
        for (int i = 0; i < 300; ++i) EXPECT_EQ(*out[static_cast<std::size_t>(i)], i);
    });
}

TEST(Lanes, AnOwnThreadIsNoWorkerAndMayBlock) {
    with_each_size([](runtime& rt) {
        std::set<std::thread::id> threads;
        std::atomic<bool> pool_goes_on{false};
        int wrong = 0;
        std::vector<int> out;
        (source(std::views::iota(0, 50)) |
         farm(lanes{own_thread([&](int i) {
                        threads.insert(std::this_thread::get_id());
                        block_until([&] { return pool_goes_on.load(); });
                        return i;
                    }),
                    [&](int i) {
                        pool_goes_on = true;
                        return i;
                    }},
              round_robin{}) |
         sink([&](int i) {
             wrong += threads.contains(std::this_thread::get_id());
             out.push_back(i);
         })).run(rt);
        EXPECT_EQ(threads.size(), 1U);
        EXPECT_EQ(wrong, 0) << "other stages run on the pool";
        EXPECT_EQ(out, up_to(50));
    });
}

TEST(Lanes, OfAnOwnThreadRunOnThePoolWithOptionsSerial) {
    runtime rt{{.serial = true}};
    const auto me = std::this_thread::get_id();
    int elsewhere = 0;
    (source(up_to(20)) | farm(lanes{own_thread([&](int i) {
         elsewhere += std::this_thread::get_id() != me;
         return i;
     })}) |
     sink([](int) {
     })).run(rt);
    EXPECT_EQ(elsewhere, 0);
}

TEST(Lanes, AFailureInAnOwnThreadComesOutOfRun) {
    with_each_size([](runtime& rt) {
        with_each_schedule([&](const any_schedule& schedule) {
            const auto body = [](int i) {
                if (i == 100) throw boom{i};
                return i;
            };
            EXPECT_THROW(
                (source(std::views::iota(0)) | farm(lanes{own_thread(body), own_thread(body)}, schedule) | sink([](int) {
                 })).run(rt),
                boom);
        });
    });
}

// What comes after an own thread may take its last item and end the run while that thread still hands it on.
TEST(Lanes, OfOwnThreadsMayBeTheLastToBeHeardOfInAShortRun) {
    with_each_size([](runtime& rt) {
        const auto body = [](int i) { return i; };
        const int n = static_cast<int>(times(100));
        for (int run = 0; run < n; ++run)
            for (const sequence order : {ordered, unordered}) {
                int items = 0;
                const auto count = [&](int) { ++items; };
                const auto last = lanes{own_thread(body), own_thread(body)};
                const int some = 1 + run % 3;
                (source(up_to(some)) | farm(last, on_demand{1}, {.order = order}) | sink(order, count)).run(rt);
                (source(up_to(some)) | farm(last, round_robin{}, {.order = order}) |
                 farm(last, work_stealing{}, {.order = order}) | sink(order, count))
                    .run(rt);
                (source(up_to(some)) | farm(last, adaptive_round_robin{.chunk = 9}, {.order = order}) |
                 farm(body, {.workers = 2, .schedule = on_demand{0}, .order = order}) | sink(order, count))
                    .run(rt);
                ASSERT_EQ(items, 3 * some);
            }
    });
}

// A user's schedules.
struct odd_and_even {
    struct balancer {
        std::optional<std::size_t> choose(const lane_levels&) { return turn++ % 2; }
        std::size_t turn = 0;
    };
    [[nodiscard]] balancer begin(std::size_t lanes) const {
        if (lanes != 2) throw usage_error("two lanes");
        return {};
    }
};
struct never {
    struct balancer {
        std::optional<std::size_t> choose(const lane_levels&) { return std::nullopt; }
    };
    [[nodiscard]] balancer begin(std::size_t) const { return {}; }
};
struct beyond {
    struct balancer {
        std::optional<std::size_t> choose(const lane_levels& l) { return l.size(); }
    };
    [[nodiscard]] balancer begin(std::size_t) const { return {}; }
};

TEST(Lanes, TakeSchedulesOfUsers) {
    with_each_size([](runtime& rt) {
        std::vector<int> out;
        const auto body = [](int i) { return i; };
        (source(up_to(100)) | farm(lanes{body, body}, odd_and_even{}) | sink(std::back_inserter(out))).run(rt);
        EXPECT_EQ(out, up_to(100));
        EXPECT_THROW((source(up_to(100)) | farm(lanes{body}, odd_and_even{}) | sink([](int) {})).run(rt), usage_error);
    });
}

TEST(Lanes, RefuseASchedulerThatGivesItemsToNobody) {
    with_each_size([](runtime& rt) {
        const auto body = [](int i) { return i; };
        EXPECT_THROW((source(up_to(100)) | farm(lanes{body, body}, never{}) | sink([](int) {})).run(rt), usage_error);
        EXPECT_THROW((source(up_to(100)) | farm(lanes{body, body}, beyond{}) | sink([](int) {})).run(rt), usage_error);
    });
}

// Its fakes come back to a balancer that does not want them.
struct resentful {
    struct balancer {
        std::optional<std::size_t> choose(const lane_levels&) { return 0; }
        std::optional<std::uint64_t> fake_to_send() { return 1; }
        void fake_executed(std::size_t, std::uint64_t) { throw boom{}; }
    };
    [[nodiscard]] balancer begin(std::size_t) const { return {}; }
};

TEST(Lanes, WhatABalancerThrowsComesOutOfRun) {
    with_each_size([](runtime& rt) {
        const auto body = [](int i) { return i; };
        EXPECT_THROW(
            (source(std::views::iota(0)) | farm(lanes{body, own_thread(body)}, resentful{}) | sink([](int) {})).run(rt),
            boom);
    });
}

TEST(Lanes, TokensBoundWhatTheyHave) {
    with_each_schedule([](const any_schedule& schedule) {
        runtime rt{{.workers = 2}};
        gauge g;
        const auto body = [](int i) { return i; };
        (source([&, i = 0]() mutable -> std::optional<int> {
             if (i == 1'000) return std::nullopt;
             g.up();
             return i++;
         }) |
         farm(lanes{body, body}, schedule) | sink([&](int) {
             g.down();
         })).run(rt, {.tokens = 80});
        EXPECT_LE(g.most(), 80);
    });
}

}  // namespace
