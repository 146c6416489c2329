// Waits that are over go on, whatever their workers have begun meanwhile (parley/detail/driver/suspended_waits.hpp).
#include "tests/parley/api/support.hpp"

#include <cfenv>
#include <optional>
#include <random>

namespace {

using namespace api_test;
using parley::async;
using parley::future;

// What the root task helped with waits for something that comes only after the root task's wait.
TEST(Suspended, AWaitThatIsOverGoesOnBeforeItsHelpHasEnded) {
    parley::runtime rt{{.workers = 3}};
    for (std::size_t i = 0; i < times(100); ++i) {
        std::optional<future<int>> helped_with;
        std::atomic<bool> late_begun{false}, begun{false}, went_on{false};
        rt.run([&] {
            forked_elsewhere([&] { poll_until([&] { return late_begun.load(); }); },
                             [&] {
                                 // One worker polls in the call above, one here: the third takes this one.
                                 future<int> late = async([&] {
                                     late_begun = true;
                                     poll_until([&] { return went_on.load(); });
                                     return 1;
                                 });
                                 poll_until([&] { return late_begun.load(); });
                                 // And the first one, which waits now, the next.
                                 helped_with = async([&, late = std::move(late)]() mutable {
                                     begun = true;
                                     return late.get() + 1;
                                 });
                                 poll_until([&] { return begun.load(); });
                             });
            went_on = true;
        });
        // run() has ended what its thread had begun.
        EXPECT_TRUE(helped_with->is_ready());
        EXPECT_EQ(helped_with->get(), 2);
    }
}

// Each future goes to one later task, which may be anybody's.
TEST(Suspended, AnyOrderOfFuturesEnds) {
    for (const unsigned n : {1U, 2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        for (unsigned seed = 0; seed < times(60); ++seed) {
            std::mt19937 random(seed);
            constexpr int length = 300;
            const int sum = rt.run([&] {
                std::vector<future<int>> open;
                for (int i = 0; i < length; ++i) {
                    std::vector<future<int>> needed;
                    for (auto many = random() % 3; many > 0 && !open.empty(); --many) {
                        const std::size_t which = random() % open.size();
                        needed.push_back(std::move(open[which]));
                        open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
                    }
                    open.push_back(async([needed = std::move(needed)]() mutable {
                        int found = 1;
                        for (auto& f : needed) {
                            parley::fork_join([] {}, [] {});
                            found += f.get();
                        }
                        return found;
                    }));
                }
                int found = 0;
                for (auto& f : open) found += f.get();
                return found;
            });
            EXPECT_EQ(sum, length);
        }
    }
}

// Far more waits inside each other than one stack has room for.
TEST(Suspended, LongChainsOfFutures) {
    const int length = is_sanitized ? 3'000 : 100'000;
    for (const unsigned n : {1U, 2U}) {
        parley::runtime rt{{.workers = n}};
        rt.run([&] {
            future<int> last = async([] { return 0; });
            for (int i = 0; i < length; ++i) last = async([before = std::move(last)]() mutable { return before.get() + 1; });
            EXPECT_EQ(last.get(), length);
        });
    }
}

void nested_scopes(int depth, std::atomic<int>& deepest) {
    if (depth == 0) return;
    parley::scope s;
    s.spawn([&] {
        ++deepest;
        nested_scopes(depth - 1, deepest);
    });
    s.wait();
}

TEST(Suspended, DeeplyNestedScopes) {
    const int depth = is_sanitized ? 2'000 : 50'000;
    for (const unsigned n : {1U, 2U}) {
        parley::runtime rt{{.workers = n}};
        std::atomic<int> deepest{0};
        rt.run([&] { nested_scopes(depth, deepest); });
        EXPECT_EQ(deepest, depth);
    }
}

// Each body waits, and its worker goes on with the rest of the loop meanwhile.
TEST(Suspended, LoopsWhoseBodiesAllWait) {
    const int count = is_sanitized ? 2'000 : 50'000;
    for (const unsigned n : {1U, 2U, 3U}) {
        parley::runtime rt{{.workers = n}};
        std::atomic<int> calls{0};
        rt.run([&] {
            parley::for_each_index(0, count, [&](int) {
                parley::scope s;
                s.spawn([&] { ++calls; });
                s.wait();
            });
        });
        EXPECT_EQ(calls, count);
    }
}

TEST(Suspended, ExceptionsStayWithTheirTasks) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t i = 0; i < times(50); ++i)
            rt.run([&] {
                std::vector<future<int>> all;
                for (int k = 0; k < 40; ++k)
                    all.push_back(async([k] {
                        try {
                            throw boom(k);
                        } catch (const boom&) {
                            // Waits in a handler, and while an exception is on its way.
                            parley::fork_join([] {}, [] { fib(10); });
                            try {
                                throw;
                            } catch (const boom& same) {
                                EXPECT_EQ(same.number, k);
                            }
                        }
                        EXPECT_EQ(std::current_exception(), nullptr);
                        if (k % 2 == 0) {
                            parley::scope s;
                            s.spawn([] { fib(12); });
                            throw boom(k);
                        }
                        return k;
                    }));
                for (int k = 0; k < 40; ++k) {
                    if (k % 2 == 0) EXPECT_THROW(all[static_cast<std::size_t>(k)].get(), boom);
                    else EXPECT_EQ(all[static_cast<std::size_t>(k)].get(), k);
                }
            });
    }
}

// barrier() is refused in tasks, on whatever stack they run, and allowed to the root task afterwards.
TEST(Suspended, WhatRunsElsewhereIsNoRootTask) {
    parley::runtime rt{{.workers = 2}};
    for (std::size_t i = 0; i < times(100); ++i)
        rt.run([&] {
            std::optional<future<bool>> refused;
            std::atomic<bool> begun{false};
            forked_elsewhere([] {},
                             [&] {
                                 refused = async([&] {
                                     begun = true;
                                     try {
                                         parley::barrier();
                                         return false;
                                     } catch (const parley::usage_error&) {
                                         return true;
                                     }
                                 });
                                 poll_until([&] { return begun.load(); });
                             });
            EXPECT_TRUE(refused->get());
            parley::barrier();
        });
}

// A suspended task of the calling worker 0, in a runtime with three workers: it waits for `late`, which ends
// when `release` is set. The root task goes on meanwhile.
struct suspended_task {
    std::atomic<bool> late_begun{false}, begun{false}, release{false}, went_on{false};
    std::optional<future<int>> result;

    void make() {
        forked_elsewhere([&] { poll_until([&] { return late_begun.load(); }); },
                         [&] {
                             future<int> late = async([&] {
                                 late_begun = true;
                                 poll_until([&] { return release.load(); });
                                 return 1;
                             });
                             poll_until([&] { return late_begun.load(); });
                             result = async([&, late = std::move(late)]() mutable {
                                 begun = true;
                                 const int found = late.get() + 1;
                                 went_on = true;
                                 return found;
                             });
                             poll_until([&] { return begun.load(); });
                         });
    }
};

void respawn(parley::scope& s, const std::atomic<bool>& stop) {
    if (!stop) s.spawn([&] { respawn(s, stop); });
}

// Its worker never runs dry.
TEST(Suspended, GoesOnWhileItsWorkerHasOtherTasks) {
    parley::runtime rt{{.workers = 3}};
    for (std::size_t i = 0; i < times(20); ++i) {
        suspended_task t;
        rt.run([&] {
            t.make();
            parley::scope s;
            for (int k = 0; k < 64; ++k) s.spawn([&] { respawn(s, t.went_on); });
            t.release = true;
            s.wait();
        });
        EXPECT_EQ(t.result->get(), 2);
    }
}

// What is suspended here could not go on inside the other runtime.
TEST(Suspended, EndsBeforeItsThreadEntersAnotherRuntime) {
    parley::runtime rt{{.workers = 3}};
    parley::runtime other{{.workers = 1}};
    for (std::size_t i = 0; i < times(20); ++i) {
        suspended_task t;
        std::atomic<bool> goes_there{false};
        std::thread later([&] {
            while (!goes_there) std::this_thread::yield();
            t.release = true;
        });
        rt.run([&] {
            t.make();
            goes_there = true;
            EXPECT_EQ(other.run([&] { return t.result->get(); }), 2);
        });
        later.join();
    }
}

// A job from outside may be older than tasks that wait for it.
TEST(Suspended, AJobIsNotPutOnTopOfTasksThatWaitForIt) {
    parley::runtime rt{{.workers = 2}};
    for (std::size_t i = 0; i < times(50); ++i) {
        std::atomic<bool> first_begun{false}, release{false}, job_waits{false};
        std::optional<future<int>> job;
        rt.run([&] {
            future<int> first = async([&] {
                first_begun = true;
                poll_until([&] { return release.load(); });
                return 1;
            });
            poll_until([&] { return first_begun.load(); });
            job = async([&, first = std::move(first)]() mutable {
                job_waits = true;
                return first.get() + 1;
            });
        });  // leaves it behind: a job
        std::thread later([&] {
            while (!job_waits) std::this_thread::yield();
            release = true;
        });
        std::atomic<int> found{0};
        rt.run([&] {
            parley::scope s;
            s.spawn([&] { found = job->get() + 1; });  // and polls
            s.wait();
        });
        later.join();
        EXPECT_EQ(found, 3);
    }
}

TEST(Suspended, WhoHasBegunMuchStillTakesWhatOthersCanSpare) {
    parley::runtime rt{{.workers = 3}};
    std::atomic<bool> first_begun{false}, release{false};
    std::atomic<int> begun{0};
    constexpr int length = 200;
    rt.run([&] {
        future<int> last = async([&] {
            first_begun = true;
            poll_until([&] { return release.load(); });
            return 1;
        });
        poll_until([&] { return first_begun.load(); });
        // The third worker begins them all; this one only polls.
        for (int i = 0; i < length; ++i) {
            last = async([&, before = std::move(last)]() mutable {
                ++begun;
                return before.get() + 1;
            });
            poll_until([&] { return begun.load() > i; });
        }
        parley::scope s;
        s.spawn([&] { release = true; });
        poll_until([&] { return release.load(); });
        s.wait();
        EXPECT_EQ(last.get(), length + 1);
    });
}

TEST(Suspended, TasksSeeTheRoundingModeOfTheWaitThatTheyHelp) {
#if defined(PARLEY_UCONTEXT)
    GTEST_SKIP() << "as POSIX likes";
#else
    parley::runtime rt{{.workers = 2}};
    const auto mode_of_help = [] {
        int mode = -1;
        std::optional<future<void>> help;
        forked_elsewhere([] {},
                         [&] {
                             std::atomic<bool> begun{false};
                             help = async([&] {
                                 mode = std::fegetround();
                                 begun = true;
                             });
                             poll_until([&] { return begun.load(); });
                             help->get();
                         });
        return mode;
    };
    for (int i = 0; i < 10; ++i)
        rt.run([&] {
            std::fesetround(FE_UPWARD);
            EXPECT_EQ(mode_of_help(), FE_UPWARD);
            std::fesetround(FE_TONEAREST);
            EXPECT_EQ(mode_of_help(), FE_TONEAREST);
        });
#endif
}

TEST(Suspended, ASmallStackIsAsLargeAsItMustBe) {
    parley::runtime rt{{.workers = 1, .stack_size = 1}};
    std::atomic<int> deepest{0};
    // What the test's own frames need without optimisation is no promise of the runtime's.
#if defined(__OPTIMIZE__)
    const int depth = is_sanitized ? 100 : 1'000;
#else
    const int depth = 100;
#endif
    rt.run([&] { nested_scopes(depth, deepest); });
    EXPECT_EQ(deepest, depth);
}

}  // namespace
