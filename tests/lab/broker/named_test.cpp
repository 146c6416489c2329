// What the laboratory's programs are called where cores are shared.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "tests/broker/command/running_broker.hpp"
#include "tests/running_command.hpp"

namespace {

using namespace std::chrono_literals;

TEST(RunWithBroker, IsCalledByItsProgram) {
    const parley_tests::running_broker b;
    const parley_tests::running_command uts({"run", "uts", "--tree", "T1XL"}, {"PARLEY_BROKER=" + b.socket()});
    while (b.row("parley uts").is_null()) ASSERT_TRUE(uts.still_runs_after(20ms));
}

}  // namespace
