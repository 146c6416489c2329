#include "lab/command/sim/typed_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

constexpr std::size_t most_runs_of_a_sweep = 10'000;

}  // namespace

typed_options::typed_options(std::string name, std::vector<sim_option> table, arguments words)
    : name_(std::move(name)), table_(std::move(table)) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        read(words, i);
    }
}

std::string typed_options::help() const {
    std::string all;
    for (const sim_option& o : table_) {
        const std::string values = o.is_flag                     ? ""
                                   : !o.words.empty()            ? join(o.words)
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
    all.runs.push_back(given_);
    for (const std::string& typed : sweeps_) all = widened(all, typed);
    return all;
}

typed_options::sweep typed_options::widened(const sweep& by_others, const std::string& typed) const {
    const std::size_t sign = typed.find('=');
    const std::string name = typed.substr(0, sign);
    const auto values = sign == std::string::npos ? std::vector<std::string>{} : values_in(typed.substr(sign + 1));
    const sim_option* const o = find(name);
    if (sign != std::string::npos && (o == nullptr || (!o->is_number() && o->words.empty()))) {
        refuse("sweep", fmt::format("{} is no option with numbers or words", shown(name)));
    }
    if (given_.contains(name)) refuse("sweep", fmt::format("--{} is given, too", name));
    if (values.empty()) {
        refuse("sweep",
               fmt::format("{} is not allowed; allowed: a number's NAME=FIRST..LAST, FIRST..LAST..STEP or A,B,C, or "
                           "words, A,B,C",
                           shown(typed)));
    }
    const bool is_first = by_others.name.empty();
    sweep all;
    all.name = is_first ? name : by_others.name + " " + name;
    if (values.size() * by_others.runs.size() > most_runs_of_a_sweep) {
        refuse("sweep",
               fmt::format("{} runs are too many; at most {}", values.size() * by_others.runs.size(), most_runs_of_a_sweep));
    }
    for (const std::string& v : values) {
        check(*o, v);
        for (std::size_t i = 0; i < by_others.runs.size(); ++i) {
            parley_programs::json point = is_first ? parley_programs::json::object() : by_others.points[i];
            if (point.contains(name)) refuse("sweep", fmt::format("{} is swept twice", name));
            if (!o->is_number()) {
                point[name] = v;
            } else if (o->is_time) {
                point[name] = *microseconds_in(v);
            } else {
                point[name] = *whole_number(v);
            }
            all.values.push_back(is_first ? v : by_others.values[i] + " " + v);
            all.points.push_back(std::move(point));
            all.runs.push_back(by_others.runs[i]);
            all.runs.back()[name] = v;
        }
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
    if (o->name == "sweep") sweeps_.push_back(chosen);
}

void typed_options::check(const sim_option& o, const std::string& typed) const {
    if (const std::string wrong = complaint_about(o, typed); !wrong.empty()) {
        refuse(o.name, wrong);
    }
}

}  // namespace parley_cli
