#include "broker/command/replay.hpp"

#include <fmt/format.h>

#include <broker/policy/section.hpp>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "broker/command/log_json.hpp"
#include "command/usage.hpp"

namespace parley_cli {
namespace {

using namespace parley::broker;

struct sections {
    std::shared_ptr<const ownership> table;
    std::vector<section> all;

    sections(ownership t, const policy_choice& choice) : table(std::make_shared<const ownership>(std::move(t))) {
        const auto how = policy_of(choice);
        for (section_id s = 0; s < table->sections(); ++s) {
            all.emplace_back(s, table, how);
        }
    }
};

}  // namespace

int replay_log(const replay_options& wanted) {
    std::ifstream in(wanted.file);
    if (!in) {
        throw usage_error(
            fmt::format("parley broker replay: cannot read {}; wants a file that --log has written", shown(wanted.file)));
    }
    std::string line;
    std::size_t number = 0;
    bool is_cut_off = false;
    std::optional<sections> again;
    try {
        while (std::getline(in, line)) {
            // A broker that was killed may have been about to write its last line.
            if (in.eof() && again) {
                is_cut_off = true;
                break;
            }
            ++number;
            const nlohmann::json j = nlohmann::json::parse(line);
            if (!again) {
                auto [table, choice] = read_head(j);
                choice.name = wanted.policy.value_or(choice.name);
                again.emplace(std::move(table), choice);
                continue;
            }
            const auto [where, what] = read_record(j);
            if (!can_happen(*again->table, where, what)) {
                throw std::out_of_range("what no section of this machine can get");
            }
            if (again->all.at(where).on(what.in) != what.out) {
                fmt::print("record {} (section {}) comes out otherwise\n", number - 1, where);
                return exit_status::failed;
            }
        }
    } catch (const std::exception&) {
        throw usage_error(
            fmt::format("parley broker replay: {}: line {} is not of a broker's log", shown(wanted.file), number));
    }
    if (!again) {
        throw usage_error(fmt::format("parley broker replay: {} is empty", shown(wanted.file)));
    }
    fmt::print("{} records, the same\n", number - 1);
    if (is_cut_off) {
        fmt::print(stderr, "parley broker replay: {}: the last line is cut off, and not counted\n", shown(wanted.file));
    }
    return exit_status::succeeded;
}

}  // namespace parley_cli
