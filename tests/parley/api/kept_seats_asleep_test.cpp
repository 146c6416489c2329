// What a thread outside leaves in a seat that it keeps is done, whoever else sleeps, is suspended, blocks or waits. Each in
// a process of its own, since the default runtime reads its size once. What a test waits for outside Parley nobody but a
// worker can do: the thread that waits there does nothing for it.
#include "tests/parley/api/support.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <latch>
#include <optional>
#include <poll.h>
#include <random>

namespace {

using namespace api_test;

template <class Condition>
void outside_until(Condition condition) {
    while (!condition()) std::this_thread::yield();
}

// Ends the process with 0 if f(home) says that all is as it should be.
template <class F>
void expect_in_default_runtime(const char* workers, F f) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("PARLEY_WORKERS", workers, 1);
            parley::async([] {}).get();  // keeps worker 0's seat
            parley_tests::end_after(60);
            std::_Exit(f(parley::detail::default_pool()) ? 0 : 1);
        },
        testing::ExitedWithCode(0), "")
        << "workers: " << workers;
}

TEST(KeptSeatsDeathTest, AnAnswerThatComesAfterTheWaitIsNotLeft) {
    expect_in_default_runtime("2", [](auto&) {
        for (std::size_t round = 0; round < times(2000); ++round) {
            std::atomic<int> ran{0};
            parley::async([&] {
                for (int i = 0; i < 4; ++i) parley::spawn([&] { ++ran; });
            }).get();
            outside_until([&] { return ran == 4; });
        }
        return true;
    });
}

TEST(KeptSeatsDeathTest, WhoIsJoinedMayWaitForThem) {
    expect_in_default_runtime("2", [](auto&) {
        for (std::size_t round = 0; round < times(1000); ++round) {
            std::optional<parley::future<int>> made[4];
            parley::async([&] {
                for (auto& m : made) m.emplace(parley::async([] { return 1; }));
            }).get();
            int sum = 0;
            std::thread([&] {
                for (auto& m : made) sum += m->get();
            }).join();
            if (sum != 4) return false;
        }
        return true;
    });
}

TEST(KeptSeatsDeathTest, WhoeverBeginsToKeepWhileOthersSleepIsHeard) {
    expect_in_default_runtime("2", [](auto&) {
        std::atomic<bool> flag{false}, begun{false};
        std::latch end{1};
        // Takes the one worker.
        std::thread waits([&] {
            auto f = parley::async([&] {
                begun = true;
                outside_until([&] { return flag.load(); });
            });
            outside_until([&] { return begun.load(); });
            f.get();
        });
        outside_until([&] { return begun.load(); });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));  // it sleeps by now
        std::thread keeps([&] {
            parley::spawn([&] { flag = true; });
            end.wait();
        });
        waits.join();
        end.count_down();
        keeps.join();
        return true;
    });
}

TEST(KeptSeatsDeathTest, WhoIsSuspendedComesForThemInTheEnd) {
    for (const char* workers : {"2", "3"})
        expect_in_default_runtime(workers, [](auto& home) {
            home.start_threads();
            home.resizing().resize(1);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            for (int round = 0; round < 5; ++round) {
                std::atomic<bool> ran{false};
                parley::spawn([&] { ran = true; });
                outside_until([&] { return ran.load(); });
            }
            return true;
        });
}

TEST(KeptSeatsDeathTest, WhoIsSuspendedComesForThemThoughTheKeeperComesByNowAndThen) {
    expect_in_default_runtime("2", [](auto& home) {
        home.start_threads();
        home.resizing().resize(1);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::atomic<bool> ran{false};
        parley::spawn([&] { ran = true; });
        while (!ran) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            parley::spawn([] {});
        }
        return true;
    });
}

// One worker, to whom another thread always has something to give until that one has run: tasks that are too small to pay,
// larger ones, and both; and high ones, which are handed on as jobs. It never waits, so it does not come for that task
// itself.
void expect_that_it_comes_beside(unsigned long_ones, parley::priority given) {  // each so many is long; 0: none
    using clock = std::chrono::steady_clock;
    expect_in_default_runtime("2", [=](auto&) {
        for (std::size_t round = 0; round < times(100); ++round) {
            std::atomic<bool> ran{false}, begun{false};
            std::atomic<std::size_t> done{0};
            std::size_t made = 0;
            std::thread others([&] {
                while (!ran) {
                    if (made - done >= 1000) {
                        parley::run([] {});  // lets the worker ask
                        continue;
                    }
                    ++made;
                    (void)parley::async(given, [&, is_long = long_ones != 0 && made % long_ones == 0] {
                        const auto end = clock::now() + std::chrono::microseconds(is_long ? 2 : 0);
                        while (clock::now() < end) {}
                        begun = true;
                        ++done;
                    });
                }
                outside_until([&] { return done == made; });
            });
            outside_until([&] { return begun.load(); });
            parley::spawn([&] { ran = true; });
            others.join();
        }
        return true;
    });
}
TEST(KeptSeatsDeathTest, WhoGetsOtherWorkAllTheTimeComesForThem) {
    for (const unsigned long_ones : {0U, 1U, 20U}) expect_that_it_comes_beside(long_ones, parley::priority::normal);
}
TEST(KeptSeatsDeathTest, WhoGetsHighTasksAllTheTimeComesForThem) { expect_that_it_comes_beside(1, parley::priority::high); }
TEST(KeptSeatsDeathTest, AKeeperThatIsInItsSeatWhenOneComesBesideOtherWorkHandsThemOn) {
    expect_in_default_runtime("2", [](auto& home) {
        std::atomic<bool> begun{false}, may_end{false};
        parley::spawn([&] {
            begun = true;
            outside_until([&] { return may_end.load(); });
        });
        outside_until([&] { return begun.load(); });  // nobody is left who could sleep and come for the next one
        parley::spawn([] {});
        parley::run([&] { std::thread([&] { home.kept().collect_beside_work(home.at(1)); }).join(); });
        const bool has_handed_on = !home.exchange().jobs.empty();
        may_end = true;
        return has_handed_on;
    });
}

TEST(KeptSeatsDeathTest, WhoIsToGoAndWaitsForOneComesForItThoughTheKeeperComesByAllTheTime) {
    expect_in_default_runtime("2", [](auto& home) {
        home.start_threads();
        std::atomic<bool> begun{false}, goes_on{false}, over{false};
        std::optional<parley::future<int>> f;
        parley::spawn([&] {
            begun = true;
            outside_until([&] { return goes_on.load(); });
            (void)f->get();
            over = true;
        });
        outside_until([&] { return begun.load(); });
        home.resizing().resize(1);
        f.emplace(parley::async([] { return 1; }));
        goes_on = true;
        while (!over) {
            std::this_thread::sleep_for(std::chrono::microseconds(10));
            parley::spawn([] {});
        }
        return true;
    });
}

TEST(KeptSeatsDeathTest, WhoIsToGoAndWaitsForOneComesForIt) {
    expect_in_default_runtime("3", [](auto& home) {
        std::atomic<parley::scope*> where{nullptr};
        std::atomic<bool> stolen{false}, ends{false}, over{false}, ran{false};
        parley::spawn([&] {
            parley::scope in;
            in.spawn([&] {
                stolen = true;
                outside_until([&] { return ends.load(); });
            });
            poll_until([&] { return stolen.load(); });
            where = &in;
            in.wait();
            over = true;
        });
        outside_until([&] { return where != nullptr; });
        home.resizing().resize(1);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        where.load()->spawn([&] { ran = true; });
        outside_until([&] { return ran.load(); });
        ends = true;
        outside_until([&] { return over.load(); });
        return true;
    });
}

TEST(KeptSeatsDeathTest, ABarrierDoesNotWaitForWhoKeepsASeatAndDoesForItsTasks) {
    expect_in_default_runtime("2", [](auto&) {
        std::latch kept{1}, end{1};
        std::atomic<int> ran{0};
        std::thread keeps([&] {
            for (int i = 0; i < 10; ++i) parley::spawn([&] { ++ran; });
            kept.count_down();
            end.wait();
        });
        kept.wait();
        parley::fork_join([] { parley::barrier(); }, [] {});
        const bool all = ran == 10;
        parley::fork_join([] { parley::barrier(); }, [] {});
        end.count_down();
        keeps.join();
        return all;
    });
}

TEST(KeptSeatsDeathTest, ItsKeeperIsInterruptedInItsWordsAsAnyWorker) {
    expect_in_default_runtime("2", [](auto&) {
        std::atomic<bool> other{false};
        parley::fork_join([&] { outside_until([&] { return other.load(); }); }, [&] { other = true; });
        return true;
    });
}

TEST(KeptSeatsDeathTest, ItsKeeperIsNotInterruptedWhereItBlocks) {
    expect_in_default_runtime("2", [](auto&) {
        int interrupted = 0;
        const auto in_a_word = [&] {
            std::atomic<bool> begun{false};
            parley::scope s;
            // What is left of them is handed on, and the worker runs dry, and rings, while this thread blocks.
            for (int i = 0; i < 3; ++i)
                s.spawn([&] {
                    begun = true;
                    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
                    outside_until([&] { return std::chrono::steady_clock::now() >= end; });
                });
            poll_until([&] { return begun.load(); });
            parley::blocking([&] {
                for (int i = 0; i < 10; ++i)
                    if (::poll(nullptr, 0, 40) < 0 && errno == EINTR) ++interrupted;
            });
            s.wait();
        };
        parley::fork_join(in_a_word, [] {});
        return interrupted == 0;
    });
}

TEST(KeptSeatsDeathTest, ItsKeeperWaitsForAScopeOfItsInAnotherRuntime) {
    for (const char* workers : {"1", "2"})
        expect_in_default_runtime(workers, [](auto&) {
            parley::runtime other{{.workers = 2}};
            std::atomic<int> ran{0};
            parley::scope waits;
            for (int i = 0; i < 10; ++i) waits.spawn([&] { ++ran; });
            other.run([&] { waits.wait(); });
            auto goes = std::make_unique<parley::scope>();
            goes->spawn([&] { ++ran; });
            other.run([&] {
                parley::isolated([&] { waits.spawn([&] { ++ran; }); });
                goes.reset();
            });
            waits.wait();
            return ran >= 11;
        });
}

struct uses_a_word_at_its_end {
    bool is_used = false;
    ~uses_a_word_at_its_end() {
        if (is_used) parley::async([] {}).get();
    }
};
thread_local uses_a_word_at_its_end late;

TEST(KeptSeatsDeathTest, ThreadsThatEndKeepNone) {
    expect_in_default_runtime("2", [](auto& home) {
        for (unsigned i = 0; i < 20; ++i)
            std::thread([] {
                late.is_used = true;  // older than the thread's first word
                parley::async([] {}).get();
            }).join();
        unsigned kept = 0;
        for (unsigned id = 0; id < home.seats().count(); ++id) kept += home.at(id).seat_part().is_kept.get() ? 1U : 0U;
        return kept == 1;
    });
}

// Each thread makes futures in all ways and goes away until another one has got them in all ways.
TEST(KeptSeatsDeathTest, FuturesThatGoRound) {
    for (const char* workers : {"1", "2", "3"})
        expect_in_default_runtime(workers, [](auto&) {
            parley::runtime other{{.workers = 2}};
            std::atomic<long> loose{0};
            std::atomic<long> spawned{0};
            in_threads(3, [&](unsigned which) {
                std::mt19937 random(which + 1);
                const auto make = [&] {
                    switch (random() % 4) {
                        case 0: return parley::async(parley::priority::high, [] { return 1; });
                        case 1: return parley::async([] { return parley::async([] { return 1; }).get(); });
                        case 2: return parley::async([] { return fib(8) == serial_fib(8) ? 1 : 0; });
                        default: return parley::async([] { return 1; });
                    }
                };
                for (std::size_t round = 0; round < times(300); ++round) {
                    std::vector<parley::future<int>> made;
                    for (auto i = 1 + random() % 5; i > 0; --i) made.push_back(make());
                    parley::spawn([&] { ++loose; });
                    ++spawned;
                    switch (random() % 5) {
                        case 0: (void)fib(8); break;
                        case 1: parley::isolated([] { parley::for_each_index(0, 10, [](int) {}); }); break;
                        case 2: other.run([&] { EXPECT_EQ(made.back().get(), 1); }), made.pop_back(); break;
                        case 3: parley::fork_join([] { parley::blocking([] { std::this_thread::yield(); }); }, [] {}); break;
                        default: break;
                    }
                    const auto how = random() % 3;
                    std::thread([&] {
                        const auto take = [&] {
                            for (auto& f : made) EXPECT_EQ(f.get(), 1);
                        };
                        if (how == 0) other.run(take);
                        else if (how == 1) parley::fork_join(take, [] {});
                        else take();
                    }).join();
                }
            });
            parley::async([] {}).get();
            while (loose != spawned) {
                if (parley::options::from_environment().workers == 1) parley::async([] {}).get();
                std::this_thread::yield();
            }
            return !testing::Test::HasFailure();
        });
}

}  // namespace
