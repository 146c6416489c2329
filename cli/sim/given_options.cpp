#include "cli/sim/given_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/usage.hpp"

namespace parley_cli {
namespace {

namespace timed = parley::sim::timed;

}  // namespace

given_options::given_options(const parley_programs::program& p, std::vector<sim_option> table, arguments words)
    : program_(p), table_(std::move(table)) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        read(words, i);
    }
}

void given_options::print_help() const {
    fmt::print("parley sim {}: {}\n\n", program_.name, program_.summary);
    for (const sim_option& o : table_) {
        const std::string values = o.is_flag           ? ""
                                   : !o.words.empty()  ? join(o.words)
                                   : o.high != 0 && !o.is_time ? fmt::format("{}: {} to {}", o.placeholder, o.low, o.high)
                                                               : o.placeholder;
        const std::string initial = o.is_flag ? "" : fmt::format(" (default: {})", o.initial);
        fmt::print("  --{} {}{}\n      {}\n", o.name, values, initial, o.help);
    }
}

std::string given_options::value(const std::string& name, const std::string& otherwise) const {
    const auto found = given_.find(name);
    return found != given_.end() ? found->second : otherwise;
}

given_options::sweep given_options::swept() const {
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
    if (all.values.empty() || o == nullptr || (o->high == 0 && !o->is_time)) {
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

std::string given_options::text(const option_texts& run, const std::string& name) const {
    const auto found = run.find(name);
    return found != run.end() ? found->second : find(name)->initial;
}

parley_programs::request given_options::request(const option_texts& run) const {
    parley_programs::request wanted;
    for (const auto& spec : program_.options) {
        const auto found = run.find(std::string(spec.name));
        if (found != run.end() && !find(spec.name)->is_time) {
            wanted.given.insert(*found);
        }
    }
    wanted.size = run.contains("size") ? run.at("size") : "small";
    if (run.contains("seed")) {
        wanted.seed = std::stoull(run.at("seed"));
    }
    return wanted;
}

void given_options::require_no_complaint(const parley_programs::json& parameters) const {
    const std::string wrong = program_.complaint != nullptr ? program_.complaint(parameters) : "";
    if (!wrong.empty()) {
        throw usage_error(fmt::format("parley sim {}: {}", program_.name, wrong));
    }
}

void given_options::read(arguments words, std::size_t& i) {
    std::string name = words[i];
    if (name == "--help" || name == "-h") {
        wants_help_ = true;
        return;
    }
    const std::size_t sign = name.find('=');
    const bool is_one_word = name.starts_with("--") && sign != std::string::npos;
    const std::string typed = is_one_word ? name.substr(0, sign) : name;
    const sim_option* const o = typed.starts_with("--") ? find(typed.substr(2)) : nullptr;
    if (o == nullptr) {
        std::vector<std::string> names;
        for (const sim_option& known : table_) {
            names.push_back("--" + known.name);
        }
        throw usage_error(fmt::format("parley sim {}: {} is not an option; options: {}{}", program_.name, shown(typed),
                                      join(names), suggestion(typed, names)));
    }
    if (o->is_flag) {
        given_[o->name] = "1";
        return;
    }
    if (!is_one_word && i + 1 == words.size()) {
        refuse(o->name, fmt::format("wants a value{}", o->words.empty() ? "" : "; allowed: " + join(o->words)));
    }
    const std::string chosen = is_one_word ? name.substr(sign + 1) : words[++i];
    check(*o, chosen);
    given_[o->name] = chosen;
}

void given_options::refuse(const std::string& option, const std::string& what) const {
    throw usage_error(fmt::format("parley sim {}: --{}: {}", program_.name, option, what));
}

void given_options::check(const sim_option& o, const std::string& typed) const {
    if (const std::string wrong = complaint_about(o, typed); !wrong.empty()) {
        refuse(o.name, wrong);
    }
}

const sim_option* given_options::find(std::string_view name) const {
    const auto found = std::find_if(table_.begin(), table_.end(), [&](const sim_option& o) { return o.name == name; });
    return found == table_.end() ? nullptr : &*found;
}

timed::faults faults_named(const std::string& name) {
    timed::faults f;
    const bool all = name == "all";
    if (all || name == "stalls") {
        f.stall_chance = 256;
        f.stall = 50 * timed::microsecond;
    }
    if (all || name == "late") {
        f.late_chance = 1024;
        f.late = 20 * timed::microsecond;
    }
    if (all || name == "slow") {
        f.slow_chance = 8192;
        f.slow_percent = 50;
    }
    return f;
}

}  // namespace parley_cli
