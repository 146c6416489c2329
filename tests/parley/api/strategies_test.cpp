// Whatever the strategies, the same work is done: each way to ask on real threads.
#include "tests/parley/api/support.hpp"

#include <parley/parley.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using parley::dry_mailbox;
using parley::failed_requests;
using parley::options;
using parley::stealing;
using parley::victims;

std::uint64_t fib(unsigned n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
    return a + b;
}

void tree(parley::scope& s, std::atomic<unsigned>& nodes, unsigned depth) {
    ++nodes;
    if (depth == 0) return;
    for (int i = 0; i < 3; ++i)
        s.spawn([&s, &nodes, depth] { tree(s, nodes, depth - 1); });
}

// How much is stolen matters to none of the others: each way has one of the three.
std::vector<options> all_ways() {
    std::vector<options> all;
    for (const auto v : {victims::random, victims::last, victims::last_thief, victims::richest, victims::nearest})
        for (const auto s : {v == victims::random   ? stealing::one
                             : v == victims::richest ? stealing::half
                                                     : stealing::adaptive})
            for (const unsigned requests : {1u, 2u})
                for (const auto f : {failed_requests::rest, failed_requests::backoff})
                    for (const auto d : {dry_mailbox::open, dry_mailbox::closed}) {
                        options o;
                        o.workers = 3;
                        o.victim = v;
                        o.steal = s;
                        o.requests = requests;
                        o.failed = f;
                        o.dry = d;
                        o.early = requests == 1 ? 2 : 0;
                        all.push_back(o);
                    }
    for (const auto t : {parley::termination_by::manager, parley::termination_by::dedicated_manager,
                         parley::termination_by::counter})
        for (const auto r : {parley::revoked_request::any, parley::revoked_request::own})
            for (const auto refuse : {parley::refusal::forward, parley::refusal::acknowledge}) {
                if (t == parley::termination_by::counter && r == parley::revoked_request::own) continue;
                options o;
                o.workers = 3;
                o.termination = t;
                o.revoke = r;
                o.refuse = refuse;
                o.early = r == parley::revoked_request::own ? 2 : 0;
                all.push_back(o);
                for (const auto& [continues, hijacks] : {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
                    if (r == parley::revoked_request::own) continue;
                    o.early = 2;
                    o.continue_requests = continues;
                    o.hijack = hijacks;
                    all.push_back(o);
                }
            }
    return all;
}

std::string name_of_way(const testing::TestParamInfo<options>& info) {
    const options& o = info.param;
    if (o.termination != parley::termination_by::scan)
        return to_string(o.termination) + "_" + to_string(o.revoke) + "_" + to_string(o.refuse) +
               (o.continue_requests ? "_continue" : "") + (o.hijack ? "_hijack" : "");
    std::string victim = to_string(o.victim);
    if (o.victim == victims::last_thief) victim = "last_thief";
    return victim + "_" + to_string(o.steal) + "_" + std::to_string(o.requests) + "_" + to_string(o.failed) +
           "_" + to_string(o.dry);
}

class Ways : public testing::TestWithParam<options> {};

TEST_P(Ways, DoTheSameWork) {
    parley::runtime rt(GetParam());
    rt.run([] {
        EXPECT_EQ(fib(16), 987u);
        std::atomic<unsigned> nodes{0};
        {
            parley::scope s;
            tree(s, nodes, 6);
            s.wait();
        }
        EXPECT_EQ(nodes, 1093u);  // (3^7 - 1) / 2
        parley::barrier();
        std::atomic<std::uint64_t> sum{0};
        parley::for_each_index(0, 1000, [&](int i) { sum += static_cast<std::uint64_t>(i); });
        EXPECT_EQ(sum, 499'500u);
        auto f = parley::async([] { return fib(10); });
        EXPECT_EQ(f.get(), 55u);
    });
}

// A thief runs what its victim waits for without serving anybody: it must come by the thief's own asking.
TEST_P(Ways, FeedAThief) {
    parley::runtime rt(GetParam());
    rt.run([] {
        std::atomic<bool> begun{false};
        parley::scope s;
        s.spawn([&] { begun = true; });
        while (!begun) parley::poll();
        s.wait();
    });
}

TEST_P(Ways, BarriersWaitForEverything) {
    parley::runtime rt(GetParam());
    for (int round = 0; round < 20; ++round)
        rt.run([&] {
            std::atomic<int> done{0};
            parley::scope s;
            for (int k = 1; k <= 4; ++k) {
                for (int i = 0; i < 50; ++i)
                    s.spawn([&] {
                        (void)fib(6);
                        ++done;
                    });
                parley::barrier();
                EXPECT_EQ(done, 50 * k);
            }
            parley::barrier();  // with nothing to wait for
            s.wait();
        });
}

TEST_P(Ways, WorkersMayBlock) {
    parley::runtime rt(GetParam());
    for (int round = 0; round < 20; ++round)
        rt.run([] {
            std::atomic<int> there{0};
            parley::scope s;
            for (int i = 0; i < 2; ++i)
                s.spawn([&there] {
                    ++there;
                    const parley::blocking_region here;
                    while (there < 2) std::this_thread::yield();
                });
            s.wait();
        });
}

TEST_P(Ways, ThreadsOutsideMaySubmit) {
    parley::runtime rt(GetParam());
    std::atomic<int> ran{0};
    api_test::in_threads(3, [&](unsigned) {
        for (int i = 0; i < 50; ++i) rt.run([&] { parley::fork_join([&] { ++ran; }, [&] { ++ran; }); });
    });
    EXPECT_EQ(ran, 300);
}

INSTANTIATE_TEST_SUITE_P(All, Ways, testing::ValuesIn(all_ways()), name_of_way);

TEST(Strategies, MoreThanTwoRequestsAreRefused) {
    options o;
    o.workers = 2;
    for (const unsigned requests : {0u, 3u}) {
        o.requests = requests;
        EXPECT_THROW(parley::runtime{o}, parley::usage_error);
    }
}

TEST(Strategies, WhatThePapersProtocolDoesNotHaveIsRefused) {
    const auto refused = [](auto change) {
        options o;
        o.workers = 3;
        o.termination = parley::termination_by::manager;
        EXPECT_NO_THROW(parley::runtime{o});
        change(o);
        EXPECT_THROW(parley::runtime{o}, parley::usage_error);
    };
    refused([](options& o) { o.requests = 2; });
    refused([](options& o) { o.dry = dry_mailbox::closed; });
    refused([](options& o) {
        o.termination = parley::termination_by::dedicated_manager;
        o.workers = 2;
    });
    refused([](options& o) {
        o.termination = parley::termination_by::counter;
        o.revoke = parley::revoked_request::own;
    });
    refused([](options& o) {
        o.termination = parley::termination_by::scan;
        o.revoke = parley::revoked_request::own;
    });
    refused([](options& o) {
        o.termination = parley::termination_by::scan;
        o.refuse = parley::refusal::acknowledge;
    });
    refused([](options& o) {
        o.termination = parley::termination_by::scan;
        o.continue_requests = true;
    });
    refused([](options& o) {
        o.termination = parley::termination_by::scan;
        o.hijack = true;
    });
}

}  // namespace
