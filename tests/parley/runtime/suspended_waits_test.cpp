// Which of a worker's suspended waits are asked whether they can go on, and when.
#include <parley/detail/driver/suspended_waits.hpp>

#include <parley/detail/runtime/worker.hpp>
#include <parley/runtime.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace {

using parley::threading::suspended_wait;
using parley::threading::suspended_waits;
using parley::threading::worker;

// Waits on a stack each, all suspended while the body runs. They count how often they are asked.
class crowd {
public:
    struct member {
        bool can_go_on = false;
        std::size_t asked = 0;
    };
    using body = std::function<void(crowd&)>;

    // The first `with_cause` have a cause: their member, or one of so many.
    crowd(std::size_t waits, std::size_t with_cause, body what, std::size_t causes = ~std::size_t{0})
        : members(waits), with_cause_(with_cause), causes_(causes), what_(std::move(what)) {
        parley::runtime rt{{.workers = 1}};
        rt.run([&] {
            self_ = parley::threading::current;
            now = this;
            suspend_next();
        });
    }
    crowd(std::size_t waits, body what) : crowd(waits, waits, std::move(what)) {}

    // A task of no interest ends: its worker looks if there is reason to, as its loops do.
    suspended_wait* look() { return waits.ready(news); }
    // Until one is found, or as often as all together could need.
    suspended_wait* look_through() {
        for (std::size_t i = 0; i <= members.size(); ++i)
            if (suspended_wait* const found = look()) return found;
        return nullptr;
    }
    bool end(const member& m) {
        const bool found = waits.ended(&m);
        news += found ? 1 : 0;
        return found;
    }
    [[nodiscard]] std::size_t asked() const {
        std::size_t sum = 0;
        for (const member& m : members) sum += m.asked;
        return sum;
    }

    suspended_waits waits{0};
    std::vector<member> members;
    std::uint32_t news = 0;

private:
    static bool asks(void* of) {
        auto* const m = static_cast<member*>(of);
        ++m->asked;
        return m->can_go_on;
    }
    void suspend_next() {
        member& mine = members[suspended_.size()];
        suspended_wait here{&asks, &mine};
        if (suspended_.size() < with_cause_) here.cause = &members[suspended_.size() % causes_];
        suspended_.push_back(&here);
        waits.suspend(here, *waits.helper(self_, &help));
    }
    static suspended_wait* help(void*) {
        if (now->suspended_.size() < now->members.size() && !now->over_) {
            now->suspend_next();
        } else {
            now->what_(*now);
            now->over_ = true;
        }
        suspended_wait* const next = now->suspended_.back();
        now->suspended_.pop_back();
        return next;
    }

    static inline crowd* now = nullptr;
    worker* self_ = nullptr;
    std::size_t with_cause_;
    std::size_t causes_;
    body what_;
    std::vector<suspended_wait*> suspended_;
    bool over_ = false;
};

constexpr std::size_t many = 2'000;

TEST(SuspendedWaits, AreNotAskedWithoutReason) {
    crowd(many, [](crowd& c) {
        EXPECT_EQ(c.look_through(), nullptr);
        const std::size_t before = c.asked();
        const crowd::member elsewhere;
        for (int i = 0; i < 1'000; ++i) {
            EXPECT_FALSE(c.end(elsewhere));
            EXPECT_FALSE(c.waits.has_to_look(c.news));
            EXPECT_EQ(c.look(), nullptr);
        }
        EXPECT_EQ(c.asked(), before);
    });
}

TEST(SuspendedWaits, WhatHasEndedHereIsNextHoweverManyThereAre) {
    const auto questions = [](std::size_t waits) {
        std::size_t asked = 0;
        crowd(waits, [&](crowd& c) {
            EXPECT_EQ(c.look_through(), nullptr);
            const std::size_t before = c.asked();
            crowd::member& m = c.members[waits / 3];
            EXPECT_FALSE(c.end(m)) << "one of several things that it waits for";
            EXPECT_FALSE(c.waits.has_to_look(c.news));
            m.can_go_on = true;
            EXPECT_TRUE(c.end(m));
            EXPECT_TRUE(c.waits.has_to_look(c.news));
            suspended_wait* const found = c.look();
            ASSERT_NE(found, nullptr);
            EXPECT_EQ(found->condition, &m);
            asked = c.asked() - before;
        });
        return asked;
    };
    EXPECT_EQ(questions(many), questions(3));
}

// Also while most have still to be looked at, after news.
TEST(SuspendedWaits, WhatHasEndedHereIsNextInSpiteOfNews) {
    crowd(many, [](crowd& c) {
        EXPECT_EQ(c.look_through(), nullptr);
        ++c.news;
        EXPECT_EQ(c.look(), nullptr);
        c.members[many - 1].can_go_on = true;
        EXPECT_TRUE(c.end(c.members[many - 1]));
        suspended_wait* const found = c.look();
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->condition, &c.members[many - 1]);
    });
}

TEST(SuspendedWaits, NewsAreFoundAmongMany) {
    for (const std::size_t which : {std::size_t{0}, many / 2, many - 1})
        crowd(many, [&](crowd& c) {
            EXPECT_EQ(c.look_through(), nullptr);
            c.members[which].can_go_on = true;
            EXPECT_EQ(c.look(), nullptr) << "nobody has said so";
            ++c.news;
            suspended_wait* const found = c.look_through();
            ASSERT_NE(found, nullptr);
            EXPECT_EQ(found->condition, &c.members[which]);
        });
}

// What has been looked at after the first news is looked at again after the second.
TEST(SuspendedWaits, NewsThatComeWhileThoseBeforeAreLookedAfter) {
    crowd(many, [](crowd& c) {
        EXPECT_EQ(c.look_through(), nullptr);
        ++c.news;
        EXPECT_EQ(c.look(), nullptr);
        c.members[0].can_go_on = true;
        ++c.news;
        suspended_wait* const found = c.look_through();
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->condition, &c.members[0]);
    });
}

TEST(SuspendedWaits, OneLookAsksAFewAndNewsAskEachOnce) {
    crowd(many, [](crowd& c) {
        EXPECT_EQ(c.look_through(), nullptr);
        ++c.news;
        const std::size_t before = c.asked();
        EXPECT_EQ(c.look(), nullptr);
        EXPECT_LE(c.asked() - before, 32U);
        EXPECT_EQ(c.look_through(), nullptr);
        EXPECT_EQ(c.asked() - before, many);
    });
}

// News that were noted between the last look at its condition and its suspension tell nobody.
TEST(SuspendedWaits, ANewOneIsLookedAt) {
    crowd(many, [](crowd& c) {
        c.members[many - 1].can_go_on = true;
        EXPECT_TRUE(c.waits.has_to_look(c.news));
        suspended_wait* const found = c.look_through();
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->condition, &c.members[many - 1]);
    });
}

TEST(SuspendedWaits, WithoutACauseAreAskedAgainAndAgain) {
    constexpr std::size_t all = 40;
    constexpr std::size_t with_cause = 10;
    crowd(all, with_cause, [](crowd& c) {
        EXPECT_EQ(c.look_through(), nullptr);
        EXPECT_TRUE(c.waits.any_without_cause());
        for (std::size_t which = with_cause; which < all; ++which) {
            c.members[which].can_go_on = true;
            suspended_wait* const found = c.look_through();
            ASSERT_NE(found, nullptr);
            EXPECT_EQ(found->condition, &c.members[which]);
            c.members[which].can_go_on = false;
        }
    });
}

// Also those of which it has not been told: ready() finds it then.
TEST(SuspendedWaits, BeforeSleepingAllAreAsked) {
    constexpr std::size_t all = 200;
    crowd(all, all / 2, [](crowd& c) {
        EXPECT_FALSE(c.waits.any_ready(c.news));
        for (crowd::member& m : c.members) {
            m.can_go_on = true;
            ASSERT_TRUE(c.waits.any_ready(c.news));
            suspended_wait* const found = c.look_through();
            ASSERT_NE(found, nullptr);
            EXPECT_EQ(found->condition, &m);
            m.can_go_on = false;
        }
        EXPECT_FALSE(c.waits.any_ready(c.news));
    });
}

TEST(SuspendedWaits, AllThatWaitForTheSameGoOn) {
    constexpr std::size_t causes = many / 4;
    crowd(
        many, many,
        [](crowd& c) {
            EXPECT_EQ(c.look_through(), nullptr);
            for (std::size_t which = 1; which < many; which += causes) c.members[which].can_go_on = true;
            EXPECT_TRUE(c.end(c.members[1]));
            std::size_t found = 0;
            for (suspended_wait* w = c.look(); w != nullptr; w = c.look()) {
                static_cast<crowd::member*>(w->condition)->can_go_on = false;
                ++found;
            }
            EXPECT_EQ(found, 4U);
        },
        causes);
}

}  // namespace
