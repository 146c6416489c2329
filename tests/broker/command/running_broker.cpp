#include "tests/broker/command/running_broker.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace parley_tests {

running_broker::running_broker(const std::vector<std::string>& more, const std::vector<std::string>& machine)
    : socket_(folder_.file("s")) {
    std::vector<std::string> words{"broker", "--socket", socket_};
    words.insert(words.end(), machine.begin(), machine.end());
    words.insert(words.end(), more.begin(), more.end());
    begin(std::move(words), {});
}

running_broker::running_broker(const std::vector<std::string>& options, const std::vector<std::string>& environment,
                               const std::string& socket)
    : socket_(socket) {
    std::vector<std::string> words{"broker"};
    words.insert(words.end(), machine_of_tests.begin(), machine_of_tests.end());
    words.insert(words.end(), options.begin(), options.end());
    begin(std::move(words), environment);
}

void running_broker::begin(std::vector<std::string> words, const std::vector<std::string>& environment) {
    command_.emplace(words, environment);
    bool is_there = false;
    for (int i = 0; i < 2000 && !is_there && command_->still_runs_after(std::chrono::milliseconds(1)); ++i) {
        is_there = answers();
    }
    if (!is_there) {
        command_->signal(SIGKILL);
        throw std::runtime_error("no broker: " + testing::PrintToString(words) + " said: " + command_->finish().err);
    }
}

bool running_broker::answers() const { return run({"top", "--once", "--socket", socket_}).status == 0; }

std::vector<nlohmann::json> running_broker::rows() const {
    const said answer = run({"top", "--once", "--socket", socket_, "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::vector<nlohmann::json> all;
    std::istringstream lines(answer.out);
    for (std::string line; std::getline(lines, line);) {
        all.push_back(nlohmann::json::parse(line));
    }
    return all;
}

nlohmann::json running_broker::row(const std::string& name) const {
    for (const nlohmann::json& one : rows()) {
        if (one.at("name") == name) {
            return one;
        }
    }
    return nullptr;
}

said running_broker::end(int signal) {
    command_->signal(signal);
    return command_->finish();
}

bool is_one_line(const std::string& text) { return !text.empty() && text.find('\n') == text.size() - 1; }

}  // namespace parley_tests
