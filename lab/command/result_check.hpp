// Whether results are right: they must have the values that are known, and agree with each other.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "lab/programs/program.hpp"

namespace parley_cli {

class result_check {
public:
    explicit result_check(parley_programs::json known) : expected_(std::move(known)) {}

    // Empty if the result is right, else what is wrong with it; `who` found it.
    std::string complaint(const std::string& who, const parley_programs::json& result) {
        for (const auto& [key, value] : expected_.items()) {
            if (!parley_programs::agrees(result.at(key), value)) {
                return fmt::format("{} found {} = {}, but it is {}", who, key, result.at(key).dump(),
                                   value.is_object() ? "at most " + value.at("at_most").dump() : value.dump());
            }
        }
        expected_ = result;
        return {};
    }

private:
    parley_programs::json expected_;
};

}  // namespace parley_cli
