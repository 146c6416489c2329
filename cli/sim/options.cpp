#include "cli/sim/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <parley/runtime/settled_options.hpp>
#include <utility>

#include "cli/sim/cost_file.hpp"
#include "cli/sim/option_table.hpp"
#include "cli/sim/studies.hpp"
#include "cli/usage.hpp"
#include "programs/shapes/shapes.hpp"

namespace parley_cli {
namespace {

namespace timed = parley::sim::timed;
using parley_programs::program;
using texts = std::map<std::string, std::string>;

constexpr std::uint32_t most_with_map = 4096;  // their distances are a list of workers^2

void print_help() {
    fmt::print("parley sim PROGRAM [options]: runs a program's tasks on virtual workers in virtual time, by the real\n"
               "protocol. The same arguments give the same output, on any machine; PARLEY_* variables are not read.\n"
               "parley sim --calibrate [FILE]: measures what things cost here and writes a cost file.\n\nPrograms:\n");
    for (const std::string& name : parley_programs::shapes::names()) {
        fmt::print("  {:<14}{}\n", name, parley_programs::find_program(name)->summary);
    }
    fmt::print("\nOther than programs:\n{}", study_summaries());
    fmt::print("\nMachines for --costs: {}, or a file\nOptions of each: parley sim PROGRAM --help\n", join(known_machines()));
}

void print_help(const program& p) {
    fmt::print("parley sim {}: {}\n\n", p.name, p.summary);
    for (const sim_option& o : options_of_sim(p)) {
        const std::string values = o.is_flag           ? ""
                                   : !o.words.empty()  ? join(o.words)
                                   : o.high != 0 && !o.is_time ? fmt::format("{}: {} to {}", o.placeholder, o.low, o.high)
                                                               : o.placeholder;
        const std::string initial = o.is_flag ? "" : fmt::format(" (default: {})", o.initial);
        fmt::print("  --{} {}{}\n      {}\n", o.name, values, initial, o.help);
    }
}

const program& program_named(std::string_view typed) {
    const std::vector<std::string>& names = parley_programs::shapes::names();
    if (std::find(names.begin(), names.end(), typed) != names.end()) {
        return *parley_programs::find_program(typed);
    }
    const bool is_program = parley_programs::find_program(typed) != nullptr;
    std::vector<std::string> all = names;
    all.insert(all.end(), study_names().begin(), study_names().end());
    throw usage_error(fmt::format("parley sim: {} {}; programs: {}{}", is_program ? "there is no simulation of" : "there is no program",
                                  shown(typed), join(all), is_program ? "" : suggestion(typed, all)));
}

class command_line {
public:
    command_line(const program& p, arguments words) : program_(p), table_(options_of_sim(p)) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            read(words, i);
        }
    }

    [[nodiscard]] bool wants_help() const { return wants_help_; }

    [[nodiscard]] sim_options options() const {
        sim_options o;
        o.what = &program_;
        o.profile = given_.contains("profile");
        o.json_file = value("json", "");
        const std::string sweep = value("sweep", "");
        const std::size_t sign = sweep.find('=');
        if (sweep.empty()) {
            o.runs.push_back(run(given_));
            return o;
        }
        o.swept = sweep.substr(0, sign);
        o.values = sign == std::string::npos ? std::vector<std::string>{} : values_in(sweep.substr(sign + 1));
        const sim_option* const swept = find(o.swept);
        if (o.values.empty() || swept == nullptr || (swept->high == 0 && !swept->is_time)) {
            refuse("sweep", fmt::format("{} is not allowed; allowed: a number's NAME=FIRST..LAST, FIRST..LAST..STEP or A,B,C",
                                        shown(sweep)));
        }
        for (const std::string& v : o.values) {
            check(*swept, v);
            texts with = given_;
            with[o.swept] = v;
            o.runs.push_back(run(with));
        }
        return o;
    }

private:
    void read(arguments words, std::size_t& i) {
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
        const std::string text = is_one_word ? name.substr(sign + 1) : words[++i];
        check(*o, text);
        given_[o->name] = text;
    }

    [[noreturn]] void refuse(const std::string& option, const std::string& what) const {
        throw usage_error(fmt::format("parley sim {}: --{}: {}", program_.name, option, what));
    }
    void check(const sim_option& o, const std::string& text) const {
        if (const std::string wrong = complaint_about(o, text); !wrong.empty()) {
            refuse(o.name, wrong);
        }
    }
    [[nodiscard]] const sim_option* find(std::string_view name) const {
        const auto found = std::find_if(table_.begin(), table_.end(), [&](const sim_option& o) { return o.name == name; });
        return found == table_.end() ? nullptr : &*found;
    }
    [[nodiscard]] std::string value(const std::string& name, const std::string& otherwise) const {
        const auto found = given_.find(name);
        return found != given_.end() ? found->second : otherwise;
    }

    [[nodiscard]] sim_run run(const texts& given) const {
        const auto text = [&](const char* name) {
            const auto found = given.find(name);
            return found != given.end() ? found->second : find(name)->initial;
        };
        const auto number = [&](const char* name) { return static_cast<std::uint32_t>(std::stoul(text(name))); };
        sim_run r;
        r.parameters = parameters(given);
        timed::setup& s = r.setup;
        s.machine = costs_of(text("costs"));
        const timed::topology& t = s.machine.places;
        const std::uint32_t places = t.sockets * t.nodes_per_socket * t.cores_per_node * t.threads_per_core;
        s.workers = given.contains("workers") ? number("workers") : places;
        s.seed = number("seed");
        s.how = choices(text, number);
        s.how.workers = std::min(s.workers, parley::max_workers);
        s.how = parley::threading::settled(s.how);
        if (s.how.victim == parley::victims::nearest && s.workers > most_with_map) {
            refuse("victim", fmt::format("nearest is not allowed with {} workers; at most {}", s.workers, most_with_map));
        }
        const std::string ends = text("ends");
        s.barrier = ends == "barrier" || (ends == "auto" && s.how.termination != parley::termination_by::scan);
        s.faults = faults_named(text("faults"));
        return r;
    }

    // Times may have fractions, of which the real programs know nothing.
    [[nodiscard]] parley_programs::json parameters(const texts& given) const {
        parley_programs::request wanted;
        for (const auto& spec : program_.options) {
            const auto found = given.find(std::string(spec.name));
            if (found != given.end() && !find(spec.name)->is_time) {
                wanted.given.insert(*found);
            }
        }
        wanted.size = given.contains("size") ? given.at("size") : "small";
        if (given.contains("seed")) {
            wanted.seed = std::stoull(given.at("seed"));
        }
        auto all = program_.parameters(wanted);
        for (const char* name : {"t", "poll"}) {
            if (given.contains(name) && all.contains(name)) {
                const double us = *microseconds_in(given.at(name));
                if (us == static_cast<double>(static_cast<std::int64_t>(us))) {
                    all[name] = static_cast<std::int64_t>(us);
                } else {
                    all[name] = us;
                }
            }
        }
        const std::string wrong = program_.complaint != nullptr ? program_.complaint(all) : "";
        if (!wrong.empty()) {
            throw usage_error(fmt::format("parley sim {}: {}", program_.name, wrong));
        }
        return all;
    }

    template <class Enum, std::size_t N>
    static Enum one_of(const std::string& text, const Enum (&all)[N]) {
        return *std::find_if(std::begin(all), std::end(all), [&](Enum e) { return to_string(e) == text; });
    }
    template <class Text, class Number>
    static parley::options choices(const Text& text, const Number& number) {
        using namespace parley;
        parley::options o;
        o.steal = one_of(text("steal"), {stealing::one, stealing::half, stealing::adaptive});
        o.split = one_of(text("split"), {splitting::half, splitting::guided, splitting::adaptive});
        o.victim = one_of(text("victim"), {victims::random, victims::last, victims::last_thief, victims::richest, victims::nearest});
        o.termination = one_of(text("termination"), {termination_by::scan, termination_by::manager,
                                                     termination_by::dedicated_manager, termination_by::counter});
        o.refuse = one_of(text("refuse"), {refusal::forward, refusal::acknowledge});
        o.revoke = one_of(text("revoke"), {revoked_request::any, revoked_request::own});
        o.failed = one_of(text("failed"), {failed_requests::rest, failed_requests::backoff});
        o.dry = one_of(text("dry"), {dry_mailbox::open, dry_mailbox::closed});
        o.watchdog = one_of(text("watchdog"), {watchdogs::on, watchdogs::off, watchdogs::every_request});
        o.continue_requests = number("continue") == 1;
        o.hijack = number("hijack") == 1;
        o.requests = number("requests");
        o.early = number("early");
        return o;
    }
    static timed::faults faults_named(const std::string& name) {
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

    const program& program_;
    std::vector<sim_option> table_;
    texts given_;
    bool wants_help_ = false;
};

}  // namespace

std::optional<sim_options> parse_sim(arguments words) {
    if (words.empty()) {
        throw usage_error(fmt::format("parley sim: which program? programs: {}, {}; see parley sim --help",
                                      join(parley_programs::shapes::names()), join(study_names())));
    }
    const std::string_view first = words.front();
    if (first == "--help" || first == "-h") {
        print_help();
        return std::nullopt;
    }
    if (first == "--calibrate") {
        if (words.size() > 2) {
            throw usage_error(fmt::format("parley sim --calibrate: {} is one word too many; allowed: a file to write, or - "
                                          "for standard output", shown(words[2])));
        }
        sim_options o;
        o.calibrate = words.size() == 2 ? words[1] : "-";
        return o;
    }
    const program& p = program_named(first);
    const command_line line(p, words.subspan(1));
    if (line.wants_help()) {
        print_help(p);
        return std::nullopt;
    }
    return line.options();
}

}  // namespace parley_cli
