// The order in which a contest runs, and when its jobs make their data.
#include "lab/command/contest.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace parley_programs;

struct event {
    std::string who, what;
};
std::vector<event> log_of_all;

// Says what is done with it.
class noted_job : public job {
public:
    explicit noted_job(std::string_view name) : name_(name) {}
    [[nodiscard]] timed_result run() override {
        note("runs");
        EXPECT_TRUE(has_data_) << name_;
        return {1.0, {{"found", 1}}, {}};
    }
    void free_data() override {
        note("frees");
        has_data_ = false;
    }
    void make_data() override {
        note("makes");
        has_data_ = true;
    }
    [[nodiscard]] json so_far() override { return nullptr; }
    void cancel() override {}
    [[nodiscard]] unsigned workers() const override { return 1; }
    [[nodiscard]] std::vector<parley_peers::worker_counts> counts() const override { return {}; }
    void dump(std::FILE*) const override {}

private:
    void note(std::string what) const { log_of_all.push_back({name_, std::move(what)}); }

    std::string name_;
    bool has_data_ = true;
};

program noted_program() {
    program p;
    p.name = "noted";
    p.parameters = [](const request&) { return json::object(); };
    p.known = [](const json&) { return json::object(); };
    p.make = +[](const json&, std::string_view scheduler, const parley_peers::setup&) -> std::unique_ptr<job> {
        return std::make_unique<noted_job>(scheduler);
    };
    return p;
}

std::vector<std::string> who(const std::string& what, std::size_t first, std::size_t count) {
    std::vector<std::string> all;
    for (const event& e : log_of_all) {
        if (e.what == what) {
            all.push_back(e.who);
        }
    }
    return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

TEST(Contest, EachFollowsEachOtherEquallyOften) {
    log_of_all.clear();
    const program p = noted_program();
    parley_cli::contest c(p, {}, {"a", "b", "c"}, {1});
    c.run(4);
    std::map<std::pair<std::string, std::string>, int> follows;
    for (std::size_t round = 0; round < 4; ++round) {
        const std::vector<std::string> order = who("runs", 4 * round, 4);
        for (std::size_t i = 1; i < order.size(); ++i) {
            ++follows[{order[i - 1], order[i]}];
        }
    }
    EXPECT_EQ(follows.size(), 12U);
    for (const auto& [pair, times] : follows) {
        EXPECT_EQ(times, 1) << pair.first << ", " << pair.second;
    }
}

// Nobody's memory is free for others while it still has its own, and all get it in another order than the round before.
TEST(Contest, DataAreMadeAnewForEachRoundInItsOrder) {
    log_of_all.clear();
    const program p = noted_program();
    parley_cli::contest c(p, {}, {"a", "b", "c"}, {1});
    c.run(3);
    ASSERT_EQ(log_of_all.size(), 4U + 2 * 12U);
    for (std::size_t round = 1; round < 3; ++round) {
        for (std::size_t i = 0; i < 12; ++i) {
            EXPECT_EQ(log_of_all[4 + (round - 1) * 12 + i].what, i < 4 ? "frees" : i < 8 ? "makes" : "runs");
        }
        EXPECT_EQ(who("makes", 4 * (round - 1), 4), who("runs", 4 * round, 4));
    }
    EXPECT_NE(who("makes", 0, 4), who("makes", 4, 4));
}

}  // namespace
