#include <fmt/format.h>

#include <algorithm>

#include "cli/sim/study.hpp"
#include "cli/usage.hpp"

namespace parley_cli {
namespace {

bool is_number(const sim_option& o) { return o.is_time || (o.high != 0 && o.words.empty()); }

}  // namespace

study_options::study_options(std::string name, std::vector<sim_option> table, arguments words)
    : name_(std::move(name)), table_(std::move(table)) {
    table_.push_back({.name = "sweep", .help = "one run for each value of a number: NAME=FIRST..LAST, FIRST..LAST..STEP or A,B,C",
                      .placeholder = "NAME=VALUES", .initial = "none"});
    table_.push_back({.name = "json", .help = "lines of JSON instead of a report; - is standard output",
                      .placeholder = "FILE", .initial = "none"});
    for (std::size_t i = 0; i < words.size(); ++i) read(words, i);
}

void study_options::read(arguments words, std::size_t& i) {
    const std::string word = words[i];
    if (word == "--help" || word == "-h") {
        wants_help_ = true;
        return;
    }
    const std::size_t sign = word.find('=');
    const bool is_one_word = word.starts_with("--") && sign != std::string::npos;
    const std::string typed = is_one_word ? word.substr(0, sign) : word;
    const sim_option* const o = typed.starts_with("--") ? find(typed.substr(2)) : nullptr;
    if (o == nullptr) {
        std::vector<std::string> names;
        for (const sim_option& known : table_) names.push_back("--" + known.name);
        throw usage_error(fmt::format("parley sim {}: {} is not an option; options: {}{}", name_, shown(typed), join(names),
                                      suggestion(typed, names)));
    }
    if (!is_one_word && i + 1 == words.size()) {
        refuse(o->name, fmt::format("wants a value{}", o->words.empty() ? "" : "; allowed: " + join(o->words)));
    }
    const std::string text = is_one_word ? word.substr(sign + 1) : words[++i];
    if (const std::string wrong = complaint_about(*o, text); !wrong.empty()) refuse(o->name, wrong);
    given_[o->name] = text;
}

std::string study_options::help() const {
    std::string all;
    for (const sim_option& o : table_) {
        const std::string values = !o.words.empty()        ? join(o.words)
                                   : is_number(o) && !o.is_time ? fmt::format("{}: {} to {}", o.placeholder, o.low, o.high)
                                                                : o.placeholder;
        all += fmt::format("  --{} {} (default: {})\n      {}\n", o.name, values, o.initial, o.help);
    }
    return all;
}

std::vector<study_options> study_options::runs() const {
    if (!sweeps()) return {*this};
    const std::string sweep = text("sweep");
    const std::size_t sign = sweep.find('=');
    const sim_option* const swept = sign == std::string::npos ? nullptr : find(sweep.substr(0, sign));
    const std::vector<std::string> values = swept == nullptr ? std::vector<std::string>{} : values_in(sweep.substr(sign + 1));
    if (values.empty() || !is_number(*swept)) {
        refuse("sweep", fmt::format("{} is not allowed; allowed: a number's NAME=FIRST..LAST, FIRST..LAST..STEP or A,B,C",
                                    shown(sweep)));
    }
    std::vector<study_options> all;
    for (const std::string& value : values) {
        if (const std::string wrong = complaint_about(*swept, value); !wrong.empty()) refuse(swept->name, wrong);
        all.push_back(*this);
        all.back().given_[swept->name] = value;
    }
    return all;
}

std::string study_options::text(std::string_view option) const {
    const auto found = given_.find(std::string(option));
    return found != given_.end() ? found->second : find(option)->initial;
}

std::uint64_t study_options::number(std::string_view option) const {
    return static_cast<std::uint64_t>(*whole_number(text(option)));
}

double study_options::seconds(std::string_view option) const { return *microseconds_in(text(option)) / 1e6; }

parley_programs::json study_options::parameters() const {
    parley_programs::json all;
    for (const sim_option& o : table_) {
        if (o.name == "json" || o.name == "sweep") continue;
        if (!is_number(o)) {
            all[o.name] = text(o.name);
        } else if (o.is_time) {
            all[o.name] = seconds(o.name);
        } else {
            all[o.name] = number(o.name);
        }
    }
    return all;
}

void study_options::refuse(const std::string& option, const std::string& what) const {
    throw usage_error(fmt::format("parley sim {}: --{}: {}", name_, option, what));
}

const sim_option* study_options::find(std::string_view name) const {
    const auto found = std::find_if(table_.begin(), table_.end(), [&](const sim_option& o) { return o.name == name; });
    return found == table_.end() ? nullptr : &*found;
}

}  // namespace parley_cli
