// What the broker's log says of a record is enough to have it again.
#include "broker/command/log_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace {

// More cores than one word of the set has room for, and a program that may use all.
TEST(BrokerLog, KeepsWhichCoresProgramsMayUse) {
    using namespace parley::broker;
    const usable_cores some(70, [](core_id c) { return c == 3 || c == 63 || c == 69; });
    ASSERT_EQ(some.words().size(), 2U);
    for (const usable_cores& usable : {some, usable_cores{}}) {
        led_program p{.row = {.program = 7, .most = 3, .version = 2, .usable = usable}, .wish = {}};
        p.cores[69] = 5;
        p.asked_how = terms::first;
        const std::vector<input> inputs{joining{.program = 7, .usable = usable}, message{1, 0, claim_delta{p.row}},
                                        message{1, 0, handover{p}}};
        for (const input& in : inputs) {
            record r{.in = in, .out = {}};
            r.out.messages = {{0, 1, claim_delta{p.row}}, {0, 1, handover{p}}};
            r.out.decisions = {{deed::loses, reason::makes_room, 7, 3}};
            const auto [section, again] = parley_cli::read_record(nlohmann::json::parse(parley_cli::json_of(1, r).dump()));
            EXPECT_EQ(section, 1U);
            EXPECT_EQ(again, r);
        }
    }
    const auto all = parley_cli::json_of(0, {.in = joining{.program = 7}, .out = {}});
    EXPECT_EQ(all.dump().find("usable"), std::string::npos);
}

}  // namespace
