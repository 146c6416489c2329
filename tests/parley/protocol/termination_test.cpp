// Detection of termination: what two scans say in each state, and that no interleaving fools them.
#include <parley/detail/protocol/termination.hpp>

#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace parley::protocol;
using parley::base::rng;

struct view {
    std::vector<published_state> workers;
    std::uint64_t jobs_sent = 0;
};

// Shows one view to the first scan and another to the second.
struct two_views {
    view first;
    view second;
    std::size_t read = 0;

    published_state published(worker_id w) { return (read++ < first.workers.size() ? first : second).workers.at(w); }
    std::uint64_t jobs_sent() const { return read <= first.workers.size() ? first.jobs_sent : second.jobs_sent; }
    bool announced() { return terminated(*this, static_cast<std::uint32_t>(first.workers.size())); }
};

bool announced(const view& v) { return two_views{v, v}.announced(); }

TEST(Scan, AddsUpWhatEveryWorkerPublishes) {
    two_views m{{{{true, 1, 20}, {true, 300, 4000}}, 50'000}, {}};
    EXPECT_EQ(scan(m, 2), (scan_result{true, 50'301, 4020}));
}

TEST(Termination, AllIdleAndAllAnswersReceived) {
    EXPECT_TRUE(announced({{{true, 0, 0}}}));
    EXPECT_TRUE(announced({{{true, 0, 0}, {true, 0, 0}, {true, 0, 0}}}));
    EXPECT_TRUE(announced({{{true, 5, 1}, {true, 0, 4}}}));
    EXPECT_TRUE(announced({{{true, 5, 6}, {true, 0, 4}}, 5}));
}

TEST(Termination, NotWhileAnyWorkerIsBusy) {
    for (worker_id busy = 0; busy < 3; ++busy) {
        view v{{{true, 0, 0}, {true, 0, 0}, {true, 0, 0}}};
        v.workers[busy].idle = false;
        EXPECT_FALSE(announced(v)) << busy;
    }
}

TEST(Termination, NotWhileAnAnswerIsOnItsWay) {
    EXPECT_FALSE(announced({{{true, 1, 0}, {true, 0, 0}}}));
    EXPECT_FALSE(announced({{{true, 3, 2}, {true, 2, 2}}}));
}

TEST(Termination, NotWhileAJobFromOutsideIsOnItsWay) { EXPECT_FALSE(announced({{{true, 0, 0}, {true, 0, 0}}, 1})); }

// Each worker was seen idle in both scans, but between them an answer went round.
TEST(Termination, NotIfAnAnswerWasExchangedBetweenTheScans) {
    const view before{{{true, 1, 0}, {true, 0, 1}}};
    const view after{{{true, 2, 0}, {true, 0, 2}}};
    EXPECT_FALSE((two_views{before, after}.announced()));
}

TEST(Termination, NotIfOneBecameBusyBetweenTheScans) {
    const view before{{{true, 1, 0}, {true, 0, 1}}};
    view after = before;
    after.workers[1].idle = false;
    EXPECT_FALSE((two_views{before, after}.announced()));
}

TEST(Termination, NotIfAJobCameBetweenTheScans) {
    view before{{{true, 1, 0}, {true, 0, 1}}};
    view after = before;
    after.jobs_sent = 1;
    EXPECT_FALSE((two_views{before, after}.announced()));
}

// The second scan alone does not do either.
TEST(Termination, NotIfTheFirstScanSawWork) {
    const view after{{{true, 1, 0}, {true, 0, 1}}};
    view before = after;
    before.workers[0].idle = false;
    EXPECT_FALSE((two_views{before, after}.announced()));
}

// A small world that goes on between any two reads of the scanner: workers pass their task on, spawn,
// finish; answers are some time on their way. It publishes in the order that the protocol demands.
class world {
public:
    world(std::uint32_t workers, std::uint64_t seed) : random_(seed), tasks_(workers, 0), shown_(workers) {
        tasks_[0] = 1 + random_.below(3);
        for (worker_id w = 1; w < workers; ++w) shown_[w].idle = true;
    }

    published_state published(worker_id w) {
        const std::uint32_t between = random_.below(4);
        for (std::uint32_t i = 0; i < between; ++i) step();
        return shown_[w];
    }
    std::uint64_t jobs_sent() { return 0; }

    void step() {
        const worker_id w = random_.below(size());
        if (shown_[w].idle) receive(w);
        else if (tasks_[w] == 0) shown_[w].idle = true;
        else work(w);
    }

    bool over() const {
        for (const std::uint32_t n : tasks_)
            if (n != 0) return false;
        return on_their_way_.empty();
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(tasks_.size()); }

private:
    void work(worker_id w) {
        switch (random_.below(4)) {
            case 0: --tasks_[w]; break;
            case 1:
                if (spawns_left_ > 0) {
                    --spawns_left_;
                    ++tasks_[w];
                }
                break;
            default:
                ++shown_[w].sent;
                --tasks_[w];
                on_their_way_.push_back(random_.below(size()));
        }
    }
    void receive(worker_id w) {
        for (auto to = on_their_way_.begin(); to != on_their_way_.end(); ++to) {
            if (*to != w) continue;
            on_their_way_.erase(to);
            shown_[w].idle = false;
            ++shown_[w].received;
            ++tasks_[w];
            return;
        }
    }

    rng random_;
    std::vector<std::uint32_t> tasks_;
    std::vector<published_state> shown_;
    std::vector<worker_id> on_their_way_;  // to whom
    std::uint32_t spawns_left_ = 20;
};

// I4, both halves.
TEST(Termination, IsAnnouncedOnlyAndAlwaysWhenNothingIsLeft) {
    for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
        world w(2 + static_cast<std::uint32_t>(seed % 3), seed);
        bool announced = false;
        for (int scans = 0; scans < 2000 && !announced; ++scans) {
            announced = terminated(w, w.size());
            ASSERT_TRUE(!announced || w.over()) << "seed " << seed;
            w.step();
        }
        ASSERT_TRUE(announced) << "seed " << seed;
    }
}

}  // namespace
