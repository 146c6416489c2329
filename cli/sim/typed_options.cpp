#include "cli/sim/typed_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/usage.hpp"

namespace parley_cli {

typed_options::typed_options(std::string name, std::vector<sim_option> table, arguments words)
    : name_(std::move(name)), table_(std::move(table)) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        read(words, i);
    }
}

std::string typed_options::help() const {
    std::string all;
    for (const sim_option& o : table_) {
        const std::string values = o.is_flag           ? ""
                                   : !o.words.empty()  ? join(o.words)
                                   : o.is_number() && !o.is_time ? fmt::format("{}: {} to {}", o.placeholder, o.low, o.high)
                                                                 : o.placeholder;
        const std::string initial = o.is_flag ? "" : fmt::format(" (default: {})", o.initial);
        all += fmt::format("  --{} {}{}\n      {}\n", o.name, values, initial, o.help);
    }
    return all;
}

std::string typed_options::value(const std::string& option, const std::string& otherwise) const {
    const auto found = given_.find(option);
    return found != given_.end() ? found->second : otherwise;
}

typed_options::sweep typed_options::swept() const {
    sweep all;
    const std::string typed = value("sweep", "");
    const std::size_t sign = typed.find('=');
    if (typed.empty()) {
        all.runs.push_back(given_);
        return all;
    }
    all.name = typed.substr(0, sign);
    all.values = sign == std::string::npos ? std::vector<std::string>{} : values_in(typed.substr(sign + 1));
    const sim_option* const o = find(all.name);
    if (all.values.empty() || o == nullptr || !o->is_number()) {
        refuse("sweep", fmt::format("{} is not allowed; allowed: a number's NAME=FIRST..LAST, FIRST..LAST..STEP or A,B,C",
                                    shown(typed)));
    }
    for (const std::string& v : all.values) {
        check(*o, v);
        option_texts with = given_;
        with[all.name] = v;
        all.runs.push_back(std::move(with));
    }
    return all;
}

std::string typed_options::text(const option_texts& run, std::string_view option) const {
    const auto found = run.find(std::string(option));
    return found != run.end() ? found->second : find(option)->initial;
}

const sim_option* typed_options::find(std::string_view option) const {
    const auto found = std::find_if(table_.begin(), table_.end(), [&](const sim_option& o) { return o.name == option; });
    return found == table_.end() ? nullptr : &*found;
}

void typed_options::refuse(const std::string& option, const std::string& what) const {
    throw usage_error(fmt::format("parley sim {}: --{}: {}", name_, option, what));
}

void typed_options::read(arguments words, std::size_t& i) {
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
        for (const sim_option& known : table_) {
            names.push_back("--" + known.name);
        }
        throw usage_error(fmt::format("parley sim {}: {} is not an option; options: {}{}", name_, shown(typed), join(names),
                                      suggestion(typed, names)));
    }
    if (o->is_flag) {
        given_[o->name] = "1";
        return;
    }
    if (!is_one_word && i + 1 == words.size()) {
        refuse(o->name, fmt::format("wants a value{}", o->words.empty() ? "" : "; allowed: " + join(o->words)));
    }
    const std::string chosen = is_one_word ? word.substr(sign + 1) : words[++i];
    check(*o, chosen);
    given_[o->name] = chosen;
}

void typed_options::check(const sim_option& o, const std::string& typed) const {
    if (const std::string wrong = complaint_about(o, typed); !wrong.empty()) {
        refuse(o.name, wrong);
    }
}

}  // namespace parley_cli
