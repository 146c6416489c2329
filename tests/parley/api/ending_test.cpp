// The end of a runtime while threads are still in it, or one of its own tasks ends it.
#include "tests/parley/api/captured_errors.hpp"
#include "tests/parley/api/support.hpp"

#include <chrono>
#include <memory>

namespace {

using namespace api_test;
using namespace std::chrono_literals;

TEST(Ending, ByAnOwnTaskIsABrokenContract) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_DEATH(
        {
            auto rt = std::make_unique<parley::runtime>(parley::options{.workers = 2});
            parley::runtime& r = *rt;
            r.run([&] { rt.reset(); });
        },
        "parley: contract broken: a runtime is destroyed by one of its own tasks");
}

TEST(Ending, ByATaskOfARuntimeThatItsThreadVisitedInBetweenIsABrokenContract) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_DEATH(
        {
            auto rt = std::make_unique<parley::runtime>(parley::options{.workers = 1});
            parley::runtime& r = *rt;
            parley::runtime other{{.workers = 1}};
            r.run([&] { other.run([&] { rt.reset(); }); });
        },
        "a runtime is destroyed by one of its own tasks");
}

// Threads that are in a runtime until they are let go.
class insiders {
public:
    explicit insiders(parley::runtime& rt) : rt_(rt) {}
    ~insiders() {
        for (std::thread& t : threads_) t.join();
    }
    insiders(const insiders&) = delete;
    insiders& operator=(const insiders&) = delete;

    // Its task waits in `rt`, and runs there.
    void add() {
        threads_.emplace_back([this] { stay(); });
        block_until([&, n = static_cast<int>(threads_.size())] { return inside_ >= n; });
    }
    // It is a worker of another runtime.
    void add_worker() {
        threads_.emplace_back([this] {
            parley::runtime own{{.workers = 1}};
            own.run([this] { stay(); });
        });
        block_until([&, n = static_cast<int>(threads_.size())] { return inside_ >= n; });
    }
    void let_go() { may_go_ = true; }
    [[nodiscard]] int gone() const { return gone_; }

private:
    void stay() {
        rt_.run([this] {
            ++inside_;
            block_until([&] { return may_go_.load(); });
            EXPECT_EQ(fib(10), 55U) << "the runtime still works";
            ++gone_;
        });
    }

    parley::runtime& rt_;
    std::vector<std::thread> threads_;
    std::atomic<int> inside_{0}, gone_{0};
    std::atomic<bool> may_go_{false};
};

// Worker 0's thread is not alone: those that visit are waited for, too.
TEST(Ending, WaitsForAllThatAreStillInIt) {
    for (const unsigned n : worker_counts)
        for (std::size_t i = 0; i < times(20); ++i) {
            auto rt = std::make_unique<parley::runtime>(parley::options{.workers = n});
            insiders others(*rt);
            others.add();
            others.add();
            others.add_worker();
            std::thread later([&] {
                std::this_thread::sleep_for(2ms);
                others.let_go();
            });
            rt.reset();
            EXPECT_EQ(others.gone(), 3);
            later.join();
        }
}

// A thread that waits for a future inside is in it like any other.
TEST(Ending, WaitsForAThreadThatWaitsForAFutureOfIt) {
    for (const unsigned n : several) {
        auto rt = std::make_unique<parley::runtime>(parley::options{.workers = n});
        std::atomic<bool> begun{false}, over{false}, waits{false}, has_waited{false};
        parley::future<void> f;
        rt->run([&] {
            f = parley::async([&] { begun = true, block_until([&] { return over.load(); }); });
            poll_until([&] { return begun.load(); });
        });
        std::thread waiter([&] {
            waits = true;
            f.wait();
            has_waited = true;
        });
        block_until([&] { return waits.load(); });
        std::this_thread::sleep_for(5ms);
        std::thread later([&] {
            std::this_thread::sleep_for(5ms);
            over = true;
        });
        rt.reset();
        waiter.join();
        later.join();
        EXPECT_TRUE(has_waited);
        EXPECT_NO_THROW(f.get());
    }
}

TEST(Ending, SaysForWhomItWaits) {
    for (const bool is_worker : {false, true}) {
        captured_errors errors;
        auto rt = std::make_unique<parley::runtime>(parley::options{.workers = 2, .complain_after = 50ms});
        insiders others(*rt);
        if (is_worker) others.add_worker();
        else others.add();
        std::thread reader([&] {
            EXPECT_TRUE(
                errors.wait_for("parley: a runtime with 2 workers is to be destroyed since 0.1 s, but threads are in "
                                "it (worker 0 is thread "));
            others.let_go();
        });
        rt.reset();
        reader.join();
    }
}

}  // namespace
