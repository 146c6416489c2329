// A broker that is foreign, mistaken or of another version: the program goes on without it, and says why.
#include "tests/broker/fake_broker.hpp"
#include "tests/broker/recorder.hpp"

#include <algorithm>

namespace {

using namespace broker_tests;
using namespace std::chrono_literals;

class ClientDistrusts : public testing::Test {
protected:
    // Joins; the broker answers as it is told to.
    template <class Answer>
    std::string refusal_after(Answer answer) {
        client_options o;
        o.socket = folder.file("broker.sock");
        fake_broker broker(o.socket);
        const client c(o, told.calls());
        member m = broker.accept();
        answer(m);
        EXPECT_TRUE(eventually([&] { return c.refused().has_value(); }));
        return c.refused().value_or("");
    }
    std::string refusal_of_pages(int allotment, int feedback) {
        return refusal_after([&](member& m) { m.send(welcome{}, {allotment, feedback}); });
    }

    own_folder folder;
    recorder told;
};

TEST_F(ClientDistrusts, PagesThatCouldShrink) {
    const descriptor good = memory(sizeof(feedback_page)), bad = memory(sizeof(feedback_page), F_SEAL_GROW);
    const std::string why = "the broker's pages are too small or could shrink";
    EXPECT_EQ(refusal_of_pages(bad.get(), good.get()), why);
    EXPECT_EQ(refusal_of_pages(good.get(), bad.get()), why);
    EXPECT_EQ(refusal_of_pages(memory(100).get(), good.get()), why);
    EXPECT_EQ(refusal_of_pages(good.get(), memory(4096).get()), why);
    const descriptor file(open(folder.file("file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    ASSERT_EQ(ftruncate(file.get(), sizeof(feedback_page)), 0);
    EXPECT_EQ(refusal_of_pages(file.get(), good.get()), why) << "a file has no seals";
    EXPECT_EQ(told.pages(), 0);
}

TEST_F(ClientDistrusts, PagesThatCannotBeMappedAsTheyShould) {
    const descriptor good = memory(sizeof(feedback_page));
    const descriptor read_only = memory(sizeof(feedback_page), usual_seals | F_SEAL_FUTURE_WRITE);
    EXPECT_NE(refusal_of_pages(good.get(), read_only.get()), "");
    EXPECT_EQ(told.pages(), 0);
}

TEST_F(ClientDistrusts, AnswersThatAreNone) {
    EXPECT_EQ(refusal_after([](member& m) { m.send(welcome{}); }), "the broker's answer is no answer");
    EXPECT_EQ(refusal_after([](member& m) { m.send(ring{}); }), "the broker's answer is no answer");
    EXPECT_EQ(refusal_after([](member& m) { m.send("hello", 5); }), "the broker sends what is no packet");
    const std::string long_one(4000, 'x');
    EXPECT_EQ(refusal_after([&](member& m) { m.send(long_one.data(), long_one.size()); }),
              "the broker sends what is no packet");
    for (const std::size_t size : {sizeof(welcome) - 1, sizeof(welcome) + 8}) {
        std::vector<unsigned char> bytes(size);
        const welcome w;
        std::memcpy(bytes.data(), &w, std::min(size, sizeof w));
        EXPECT_EQ(refusal_after(
                      [&](member& m) { m.send(bytes.data(), size, {m.allotment_memory.get(), m.feedback_memory.get()}); }),
                  "the broker's answer is no answer");
    }
    EXPECT_EQ(refusal_after([](member& m) {
                  const int file = m.feedback_memory.get();
                  m.send(welcome{}, {file, file, file});
              }),
              "the broker's answer is no answer");
    EXPECT_EQ(told.pages(), 0);
}

TEST_F(ClientDistrusts, AnotherVersion) {
    welcome w;
    w.head.version = packet_version + 1;
    EXPECT_EQ(refusal_after([&](member& m) { m.send(w, {m.allotment_memory.get(), m.feedback_memory.get()}); }),
              "the broker speaks version 2, this program version 1");
}

TEST_F(ClientDistrusts, DescriptorsThatNobodyAskedForAreClosed) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(pipe2(pipe.data(), O_CLOEXEC), 0);
    refusal_after([&](member& m) { m.send(ring{}, {pipe[1], pipe[1]}); });
    close(pipe[1]);
    char byte = 0;
    EXPECT_EQ(read(pipe[0], &byte, 1), 0) << "nobody else has it";
    close(pipe[0]);
}

TEST_F(ClientDistrusts, WhatComesAfterTheWelcome) {
    EXPECT_EQ(refusal_after([&](member& m) {
                  m.welcome_it();
                  told.wait_for_page(1);
                  m.send("?", 1);
                  EXPECT_TRUE(m.has_gone());
              }),
              "the broker sends what is no packet");
    told.wait_for_no_page();
    EXPECT_EQ(refusal_after([&](member& m) {
                  m.welcome_it();
                  m.send(hello{});
              }),
              "the broker sends what makes no sense");
    EXPECT_EQ(refusal_after([&](member& m) {
                  m.welcome_it();
                  m.refuse_it("not any more");
              }),
              "the broker says: not any more");
}

TEST_F(ClientDistrusts, LongAndStrangeRefusals) {
    EXPECT_EQ(refusal_after([](member& m) { m.refuse_it("too\nmany \x1b[31mprograms"); }),
              "the broker says: too?many ?[31mprograms");
    refuse endless;
    endless.why.fill('x');
    EXPECT_EQ(refusal_after([&](member& m) { m.send(endless); }), "the broker says: " + std::string(120, 'x'));
}

TEST(ClientRefused, AsksAgainAfterThePause) {
    const own_folder folder;
    recorder told;
    client_options o;
    o.socket = folder.file("broker.sock");
    o.refusal_pause = 1ms;
    fake_broker broker(o.socket);
    const client c(o, told.calls());
    for (int i = 0; i < 3; ++i) broker.accept().refuse_it("later");
    const member m = broker.welcome_next();
    told.wait_for_page(1);
}

TEST(ClientRefused, AsksANewBrokerAtOnce) {
    const own_folder folder;
    recorder told;
    client_options o;
    o.socket = folder.file("broker.sock");
    o.refusal_pause = 1h;
    auto broker = std::make_unique<fake_broker>(o.socket);
    const client c(o, told.calls());
    broker->accept().refuse_it("never");
    EXPECT_TRUE(eventually([&] { return c.refused().has_value(); }));
    broker = std::make_unique<fake_broker>(o.socket);
    const member m = broker->welcome_next();
    told.wait_for_page(1);
    EXPECT_EQ(c.refused(), std::nullopt);
}

}  // namespace
