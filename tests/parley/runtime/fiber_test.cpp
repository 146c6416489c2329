// Stacks beside the thread's own.
#include <parley/detail/stacks/fiber.hpp>

#include <gtest/gtest.h>

#include <cfenv>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using parley::threading::fiber;

// Two sides that call each other in turns.
struct duet {
    void (*part)(duet&) = nullptr;
    fiber outside;
    std::unique_ptr<fiber> inside;
    std::string heard;

    explicit duet(void (*what)(duet&), std::size_t stack_size = 0) : part(what) {
        inside = std::make_unique<fiber>(stack_size, &begin, this);
    }
    static void begin(void* self) noexcept {
        auto* const me = static_cast<duet*>(self);
        for (;;) {
            me->part(*me);
            me->leave();
        }
    }
    void enter() { outside.switch_to(*inside); }
    void leave() { inside->switch_to(outside); }
};

TEST(Fiber, RunsWhenSwitchedToAndGoesOnWhereItWas) {
    duet d([](duet& me) {
        for (int i = 0; i < 3; ++i) {
            me.heard += static_cast<char>('a' + i);
            me.leave();
        }
        me.heard += '.';
    });
    for (int i = 0; i < 5; ++i) {
        d.heard += ' ';
        d.enter();
    }
    EXPECT_EQ(d.heard, " a b c . a");
}

TEST(Fiber, HasAsMuchStackAsWasAskedFor) {
    for (const std::size_t size : {std::size_t{256} << 10, std::size_t{0}}) {
        duet d(
            [](duet& me) {
                // Most of a small stack, each page of it.
                volatile char used[160 << 10];
                for (std::size_t i = 0; i < sizeof used; i += 1024) used[i] = 'x';
                me.heard += used[0];
            },
            size);
        d.enter();
        EXPECT_EQ(d.heard, "x");
    }
}

TEST(FiberDeathTest, OverflowDoesNotGoUnnoticed) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(
        {
            duet d(
                [](duet& me) {
                    struct deeper {
                        static int go(volatile const char* above, int n) {
                            volatile char here[4096];
                            here[0] = above[0];
                            return n == 0 ? here[0] : go(here, n - 1) + here[0];
                        }
                    };
                    volatile const char top[1] = {1};
                    me.heard += static_cast<char>(deeper::go(top, 1'000'000));
                },
                64 << 10);
            d.enter();
        },
        "");
}

TEST(Fiber, ExceptionsAreThrownAndCaughtOnIt) {
    duet d([](duet& me) {
        try {
            throw std::runtime_error("boom");
        } catch (const std::exception& e) {
            me.heard += e.what();
        }
    });
    d.enter();
    EXPECT_EQ(d.heard, "boom");
}

// Both sides are in a handler when they switch; handlers end in another order than they began.
TEST(Fiber, ExceptionsThatAreHandledBelongToTheStack) {
    duet d([](duet& me) {
        try {
            throw std::runtime_error("inside");
        } catch (...) {
            me.leave();
            try {
                throw;
            } catch (const std::exception& e) {
                me.heard += e.what();
            }
        }
        EXPECT_EQ(std::current_exception(), nullptr);
    });
    try {
        throw std::runtime_error("outside");
    } catch (const std::exception&) {
        d.enter();
        try {
            throw;
        } catch (const std::exception& e) {
            EXPECT_STREQ(e.what(), "outside");
        }
    }
    EXPECT_EQ(std::current_exception(), nullptr);
    EXPECT_EQ(std::uncaught_exceptions(), 0);
    d.enter();
    EXPECT_EQ(d.heard, "inside");
}

TEST(Fiber, ExceptionsInFlightBelongToTheStack) {
    duet d([](duet& me) { me.heard += static_cast<char>('0' + std::uncaught_exceptions()); });
    struct visitor {
        duet& d;
        ~visitor() {
            d.enter();
            EXPECT_EQ(std::uncaught_exceptions(), 1);
        }
    };
    try {
        const visitor v{d};
        throw 1;
    } catch (int) {}
    EXPECT_EQ(d.heard, "0");
}

TEST(Fiber, KeepsItsRoundingMode) {
#if defined(PARLEY_UCONTEXT)
    GTEST_SKIP() << "as POSIX likes";
#else
    duet d([](duet& me) {
        std::fesetround(FE_UPWARD);
        me.leave();
        me.heard += std::fegetround() == FE_UPWARD ? "up" : "lost";
        std::fesetround(FE_TONEAREST);
    });
    d.enter();
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    d.enter();
    EXPECT_EQ(d.heard, "up");
#endif
}

// Worker 0 is whoever sits there.
TEST(Fiber, MayBeginAgainOnAnotherThread) {
    duet d([](duet& me) {
        try {
            throw std::runtime_error("!");
        } catch (const std::exception& e) {
            me.heard += e.what();
        }
    });
    for (int i = 0; i < 3; ++i) std::thread([&] { d.enter(); }).join();
    d.enter();
    EXPECT_EQ(d.heard, "!!!!");
}

TEST(Fiber, ManyAtOnce) {
    std::vector<std::unique_ptr<duet>> all;
    for (int i = 0; i < 300; ++i)
        all.push_back(std::make_unique<duet>([](duet& me) {
            me.heard += 'a';
            me.leave();
            me.heard += 'b';
        }));
    for (int round = 0; round < 2; ++round)
        for (auto& d : all) d->enter();
    for (auto& d : all) EXPECT_EQ(d->heard, "ab");
}

}  // namespace
