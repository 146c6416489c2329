// A broker's log as JSON: one object per record.
#pragma once

#include <broker/policy/log.hpp>
#include <nlohmann/json.hpp>

#include "broker/command/options.hpp"

namespace parley_cli {

[[nodiscard]] nlohmann::json head_of_log(const parley::broker::ownership& table, const policy_choice& policy);
// Both throw nlohmann::json::exception for what is no such thing.
[[nodiscard]] std::pair<parley::broker::ownership, policy_choice> read_head(const nlohmann::json& head);

[[nodiscard]] nlohmann::json json_of(parley::broker::section_id where, const parley::broker::record& what);
[[nodiscard]] std::pair<parley::broker::section_id, parley::broker::record> read_record(const nlohmann::json& line);

// Whether a section of that machine can have got this: its cores and sections are there, its words are known.
[[nodiscard]] bool can_happen(const parley::broker::ownership& table, parley::broker::section_id where,
                              const parley::broker::record& what);

}  // namespace parley_cli
