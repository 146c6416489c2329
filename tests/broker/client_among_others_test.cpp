// A client in its process and in the system: its end, its thread, children, other users, the environment.
#include "tests/broker/client_fixture.hpp"
#include "tests/fork_at_rest.hpp"

#include <parley/errors.hpp>

#include <csignal>
#include <sys/wait.h>

namespace {

using namespace broker_tests;
using namespace std::chrono_literals;

class ClientAmongOthers : public Client {};

TEST_F(ClientAmongOthers, SaysBye) {
    fake_broker broker(socket());
    auto c = std::make_unique<client>(options(), told.calls());
    member m = broker.welcome_next();
    told.wait_for_page(1);
    c.reset();
    EXPECT_TRUE(m.says_bye());
    EXPECT_TRUE(m.has_gone());
}

TEST_F(ClientAmongOthers, EndsInEveryState) {
    { const client c(options(), told.calls()); }  // no broker
    {
        client_options o = options();
        o.socket = folder.file("no/folder/broker.sock");
        const client c(o, told.calls());
        std::this_thread::sleep_for(10ms);
    }
    auto broker = std::make_unique<fake_broker>(socket());
    { const client c(options(), told.calls()); }
    fake_broker silent(folder.file("silent.sock"));
    {
        client_options o = options();
        o.socket = folder.file("silent.sock");
        const client c(o, told.calls());
        const member m = silent.accept();  // waits for an answer
    }
    broker = std::make_unique<fake_broker>(socket());
    {
        client_options o = options();
        o.refusal_pause = 1h;
        const client c(o, told.calls());
        broker->accept().refuse_it("no");
        EXPECT_TRUE(eventually([&] { return c.refused().has_value(); }));
    }
    {
        client_options o = options();
        o.grace = 1h;
        const client c(o, told.calls());
        {
            const member m = broker->welcome_next();
            told.wait_for_page(1);
            broker.reset();
        }
        told.wait_for_no_page();
    }
    EXPECT_EQ(told.losses(), 0);
}

TEST_F(ClientAmongOthers, SleepsWithoutSignals) {
    fake_broker broker(socket());
    sigset_t mask;
    client_calls calls = told.calls();
    calls.on_allotment = [&, tell = calls.on_allotment](const allotment& a) {
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        tell(a);
    };
    const client c(options(), calls);
    member m = broker.welcome_next();
    m.allot({1});
    told.wait_for_allotments(1);
    for (const int signal : {SIGINT, SIGTERM, SIGCHLD, SIGURG, SIGPIPE}) EXPECT_TRUE(sigismember(&mask, signal)) << signal;
}

// The broker sees that a program has died though a child of it lives on; and the child does no harm.
TEST_F(ClientAmongOthers, IsNotItsChildrens) {
    fake_broker broker(socket());
    auto c = std::make_unique<client>(options(), told.calls());
    member m = broker.welcome_next();
    told.wait_for_page(1);
    std::array<int, 2> pipe{};
    ASSERT_EQ(pipe2(pipe.data(), O_CLOEXEC), 0);
    const pid_t child = parley_tests::fork_at_rest();
    if (child == 0) {
        const bool knows_nothing = !c->refused() && c->sample() == 0;
        c.reset();
        char byte = 0;
        close(pipe[1]);
        const bool read_end = read(pipe[0], &byte, 1) == 0;  // until the parent says so
        _exit(knows_nothing && read_end ? 0 : 1);
    }
    m.allot({1});
    told.wait_for_allotments(1);
    c.reset();
    EXPECT_TRUE(m.says_bye());
    EXPECT_TRUE(m.has_gone());
    close(pipe[1]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    close(pipe[0]);
}

TEST_F(ClientAmongOthers, ComesOnlyToAFolderThatIsOnesOwn) {
    EXPECT_TRUE(is_own_folder(folder.path()));
    EXPECT_FALSE(is_own_folder(folder.file("none")));
    std::filesystem::create_directory_symlink(folder.path(), folder.file("link"));
    EXPECT_FALSE(is_own_folder(folder.file("link")));
    EXPECT_FALSE(is_own_folder("/tmp"));

    client_options o = options();
    o.own_folder_only = true;
    std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
    fake_broker broker(socket());
    const client c(o, told.calls());
    std::this_thread::sleep_for(50ms);
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
    const member m = broker.welcome_next();  // the first that came
    told.wait_for_page(1);
    if (geteuid() == 0 && chown(folder.path().c_str(), 65534, 65534) == 0) {
        EXPECT_FALSE(is_own_folder(folder.path()));
    }
}

TEST_F(ClientAmongOthers, ComesOnlyToABrokerOfItsUserOrRoots) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
    std::array<int, 2> pipe{};
    ASSERT_EQ(pipe2(pipe.data(), O_CLOEXEC), 0);
    std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
    const pid_t other = parley_tests::fork_at_rest();
    if (other == 0) {
        bool as_other = setresuid(65534, 65534, 65534) == 0;
        const descriptor s(::socket(AF_UNIX, SOCK_SEQPACKET, 0));
        const sockaddr_un address = address_of(socket());
        as_other = as_other && bind(s.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        as_other = as_other && listen(s.get(), 1) == 0;
        char byte = 0;
        close(pipe[1]);
        while (read(pipe[0], &byte, 1) > 0) {}
        _exit(as_other ? 0 : 1);
    }
    const client c(options(), told.calls());
    EXPECT_TRUE(eventually([&] { return c.refused().has_value(); }));
    EXPECT_EQ(c.refused(), "the broker's socket is another user's");
    close(pipe[0]);
    close(pipe[1]);
    int status = 0;
    waitpid(other, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST(BrokerPath, IsWhatTheVariableSays) {
    EXPECT_EQ(broker_path("off"), std::nullopt);
    EXPECT_EQ(broker_path("/run/x.sock"), "/run/x.sock");
    EXPECT_EQ(broker_path("./x.sock"), "./x.sock");
    ASSERT_TRUE(broker_path(nullptr));
    EXPECT_TRUE(broker_path(nullptr)->ends_with("/broker.sock"));
    for (const std::string& bad : {std::string(), std::string("on"), std::string("/run/"), "/" + std::string(108, 'x')}) {
        try {
            (void)broker_path(bad.c_str());
            ADD_FAILURE() << bad;
        } catch (const parley::environment_error& error) {
            EXPECT_EQ(error.variable, "PARLEY_BROKER");
            EXPECT_NE(std::string(error.what()).find("off, or a path"), std::string::npos) << error.what();
        }
    }
    EXPECT_EQ(broker_path(("/" + std::string(106, 'x')).c_str())->size(), 107u);
}

}  // namespace
