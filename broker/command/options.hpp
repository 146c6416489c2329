// What `parley broker` and its log's replay are told.
#pragma once

#include <broker/daemon/settings.hpp>
#include <broker/policy/bias_policy.hpp>
#include <broker/policy/fair_share.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/verbs.hpp"

namespace parley_cli {

inline const std::vector<std::string> policy_names{"fair-share", "paper"};

struct policy_choice {
    std::string name = policy_names.front();
    parley::broker::fair_share_options fair_share;
    parley::broker::bias_options paper;
};

[[nodiscard]] std::shared_ptr<const parley::broker::policy> policy_of(const policy_choice& choice);

struct broker_options {
    std::string socket;
    parley::broker::service::machine_options machine;
    parley::broker::service::pace steps;
    parley::broker::nanoseconds slot = 0;
    policy_choice policy;
    std::uint32_t programs_per_user = 64;
    std::string log;
};

struct replay_options {
    std::string file;
    std::optional<std::string> policy;  // another one than the log was written with
};

// Both throw usage_error; empty: help was asked for, and is given.
[[nodiscard]] std::optional<broker_options> parse_broker(arguments args);
[[nodiscard]] std::optional<replay_options> parse_replay(arguments args);

}  // namespace parley_cli
