// A broker of all users: who has which part of it. Only root can be others.

#include "tests/broker/onlooker.hpp"
#include "tests/broker/service_client.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace {

using namespace broker_tests;

constexpr uid_t somebody = 65534, somebody_else = 65533;

class BrokerServiceUsers : public testing::Test {
protected:
    void SetUp() override {
        if (geteuid() != 0) GTEST_SKIP() << "only root can be another user";
        ASSERT_EQ(chmod(here.directory().c_str(), 0755), 0);
    }
    void begin(service::settings s) {
        s.is_for_all = true;
        broker.emplace(std::move(s));
    }
    // A process of that user; how it ends is what is said.
    static child as(uid_t user, const std::function<bool()>& what) {
        return child([&] {
            if (setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0) _exit(2);
            if (!what()) _exit(1);
        });
    }
    [[nodiscard]] std::optional<seen> picture() const {
        client watcher(here.socket());
        return look(watcher);
    }
    [[nodiscard]] bool sees(const std::function<bool(const seen&)>& what) const {
        return comes_true([&] {
            const std::optional<seen> s = picture();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            return s && what(*s);
        });
    }

    const place here;
    std::optional<service::daemon> broker;
};

TEST_F(BrokerServiceUsers, AnotherUsersProgramJoinsAndIsItsUsers) {
    begin(calm(here));
    client c;
    const child other = as(somebody, [&] { return c.connect_to(here.socket()) && c.join(); });
    EXPECT_TRUE(sees([&](const seen& s) {
        return s.programs.size() == 1 && s.programs[0].user == somebody && s.programs[0].pid == other.pid();
    }));
}

TEST_F(BrokerServiceUsers, ProgramsAreCountedForEachUser) {
    service::settings s = calm(here);
    s.programs_per_user = 2;
    begin(std::move(s));
    const auto joins_twice = [&] {
        static client a, b, c;
        return a.connect_to(here.socket()) && a.join() && b.connect_to(here.socket()) && b.join() &&
               c.connect_to(here.socket()) && c.say(greeting()) && !c.hear_refusal().empty();
    };
    const child one = as(somebody, joins_twice), two = as(somebody_else, joins_twice);
    client own(here.socket());
    EXPECT_TRUE(own.join());
    EXPECT_TRUE(sees([](const seen& p) {
        const auto of = [&](uid_t u) {
            return std::count_if(p.programs.begin(), p.programs.end(), [u](const program_row& r) { return r.user == u; });
        };
        return of(somebody) == 2 && of(somebody_else) == 2 && of(0) == 1;
    }));
}

// It is root's to say who weighs more.
TEST_F(BrokerServiceUsers, OthersProgramsWeighOneWhateverTheySay) {
    begin(calm(here));
    hello heavy = greeting();
    heavy.weight = 100;
    const child other = as(somebody, [&] {
        static client c;
        return c.connect_to(here.socket()) && c.join(heavy);
    });
    ASSERT_TRUE(sees([](const seen& s) { return s.programs.size() == 1; }));
    client own(here.socket());
    ASSERT_TRUE(own.join());
    EXPECT_TRUE(own.gets(4));
    ASSERT_TRUE(own.say(bye{}));
    client own_heavy(here.socket());
    heavy.weight = 7;
    ASSERT_TRUE(own_heavy.join(heavy));
    EXPECT_TRUE(own_heavy.gets(7)) << "its own do";
}

// Each has a quarter at most, all others together no more than the broker's own.
TEST_F(BrokerServiceUsers, WhoLooksOnMuchTakesNoPlaceFromOthers) {
    begin(calm(here));
    const auto looks_on = [&](int times) {
        return [this, times] {
            static std::vector<client> all;
            for (int i = 0; i < times; ++i)
                if (!all.emplace_back(here.socket()).say(observe{}) || !all.back().hear()) return false;
            all.emplace_back(here.socket()).say(observe{});
            return all.back().hear_refusal() == "too many look on already" && kill(getpid(), SIGSTOP) == 0;
        };
    };
    std::vector<std::unique_ptr<child>> others;
    const auto comes = [&](uid_t user, int times) {
        others.push_back(std::make_unique<child>([&] {
            if (setresuid(user, user, user) != 0 || !looks_on(times)()) _exit(1);
        }));
        int status = 0;
        waitpid(others.back()->pid(), &status, WUNTRACED);
        return WIFSTOPPED(status);
    };
    for (uid_t user = 60001; user <= 60004; ++user) EXPECT_TRUE(comes(user, 8)) << user;
    EXPECT_TRUE(comes(60005, 0)) << "others have all of their places";
    std::vector<client> own;
    for (int i = 0; i < 32; ++i) EXPECT_TRUE(own.emplace_back(here.socket()).say(observe{}) && own.back().hear()) << i;
    EXPECT_TRUE(own.emplace_back(here.socket()).say(observe{}));
    EXPECT_EQ(own.back().hear_refusal(), "too many look on already");
}

// Whoever connects and says nothing closes the acceptor for nobody, and its first connections go first.
TEST_F(BrokerServiceUsers, WhoConnectsMuchLosesItsOwnConnections) {
    begin(calm(here));
    const auto it_is_so = [&] {
        client waits(here.socket());
        const child crowd = as(somebody, [&] {
            static std::vector<client> all;
            for (int i = 0; i < 200; ++i) all.emplace_back(here.socket());
            return !all.front().hear() && all.back().join() && kill(getpid(), SIGSTOP) == 0;
        });
        int status = 0;
        waitpid(crowd.pid(), &status, WUNTRACED);
        return WIFSTOPPED(status) && waits.join();
    };
    // Nobody waits longer than a second: on a busy machine all may be sent away for that.
    bool is_so = false;
    for (int i = 0; i < 20 && !is_so; ++i) is_so = it_is_so();
    EXPECT_TRUE(is_so);
}

}  // namespace
