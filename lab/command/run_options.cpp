#include "lab/command/run_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <parley/parley.hpp>

#include "command/usage.hpp"
#include "lab/command/tuning_option.hpp"

namespace parley_cli {
namespace {

using parley_programs::option_spec;
using parley_programs::program;

// CLI11 splits and names; what a value may be is said by us, in our words.
struct option {
    option_spec spec;
    std::string placeholder;
    std::string default_text;
    std::string value;
};

std::vector<std::string> program_names() {
    std::vector<std::string> names;
    for (const program& p : parley_programs::all_programs()) {
        names.emplace_back(p.name);
    }
    return names;
}

std::string allowed_values(const option_spec& spec) {
    if (!spec.words.empty()) {
        return join(spec.words);
    }
    return spec.high != 0        ? fmt::format("a whole number from {} to {}{}{}", spec.low, spec.high,
                                        spec.only.empty() ? "" : " ", spec.only)
           : spec.name == "json" ? "a file name, or - for standard output"
                                 : "a file name";
}

// Empty if the value is allowed, else what is wrong with it.
std::string complaint(const program& p, const option_spec& spec, const std::string& value) {
    if (spec.name == "scheduler") {
        return complaint_about_scheduler(value, p);
    }
    bool allowed = !value.empty();
    if (!spec.words.empty()) {
        allowed = std::find(spec.words.begin(), spec.words.end(), value) != spec.words.end();
    } else if (spec.high != 0) {
        const auto number = whole_number(value);
        allowed = number && spec.low <= *number && *number <= spec.high && (spec.allows == nullptr || spec.allows(*number));
    }
    return allowed ? ""
                   : fmt::format("{} is not allowed; allowed: {}{}", shown(value), allowed_values(spec),
                                 suggestion(value, spec.words));
}

std::string default_of(const program& p, const option_spec& spec) {
    const auto defaults = p.parameters({});
    const auto& value = defaults.at(std::string(spec.name));
    return value.is_string() ? value.get<std::string>() : value.dump();
}

// The program's own first. The common ones' order is that of the fields read in parse_run.
std::vector<option> options_of(const program& p) {
    std::vector<option> all;
    for (const option_spec& spec : p.options) {
        all.push_back({spec, spec.words.empty() ? "N" : "WORD", default_of(p, spec), {}});
    }
    const std::string processors = fmt::format("{} here", parley::default_workers());
    all.push_back({{"workers",
                    "worker threads; default: PARLEY_WORKERS, else the processors "
                    "that the affinity mask and the cgroup's quota allow",
                    1,
                    parley::max_workers,
                    {}},
                   "N",
                   processors,
                   {}});
    all.push_back(
        {{"scheduler", "what runs the tasks", 0, 0, parley_programs::schedulers_allowed_for(p)}, "WORD", "parley", {}});
    all.push_back({{"size",
                    "small, or as in the 2014 paper (ch), the thesis' chapters 2 to 5, or "
                    "its chapter 6; options of the program win over it",
                    0, 0, parley_programs::size_names()},
                   "WORD",
                   "small",
                   {}});
    all.push_back({{"seed",
                    "of the random choices: of the tree, and of a thief's victims",
                    0,
                    std::numeric_limits<std::uint32_t>::max(),
                    {}},
                   "K",
                   "the program's own",
                   {}});
    all.push_back({{"watchdog",
                    "whether parley interrupts tasks that do not poll when somebody waits; default: "
                    "PARLEY_WATCHDOG, else on",
                    0,
                    0,
                    {"on", "off"}},
                   "WORD",
                   "on",
                   {}});
    all.push_back({{"repeat", "repetitions, each beside one of the serial program", 1, 1'000'000, {}},
                   "N",
                   "5, fewer if they take longer than 10 s",
                   {}});
    all.push_back({{"profile-svg", "--profile, and the same as a picture in that file", 0, 0, {}}, "FILE", "none", {}});
    all.push_back({{"trace",
                    "a timeline of what each worker did, for ui.perfetto.dev: the latest events of each; default: "
                    "PARLEY_TRACE",
                    0,
                    0,
                    {}},
                   "FILE",
                   "none",
                   {}});
    all.push_back(
        {{"json", "write the result there as one line of JSON; - is standard output", 0, 0, {}}, "FILE", "none", {}});
    return all;
}

std::string option_text(const option& o) {
    std::string allowed;
    if (!o.spec.words.empty()) {
        allowed = fmt::format(": {}", join(o.spec.words));
    } else if (o.spec.high != 0) {
        allowed = fmt::format(": {} to {}{}{}", o.spec.low, o.spec.high, o.spec.only.empty() ? "" : " ", o.spec.only);
    }
    return fmt::format("{}{} (default: {})", o.placeholder, allowed, o.default_text);
}

void add_options(CLI::App& app, const program& p, std::vector<option>& options) {
    for (option& o : options) {
        app.add_option("--" + std::string(o.spec.name), o.value, std::string(o.spec.help))
            ->option_text(option_text(o))
            ->check([&p, &spec = o.spec](const std::string& value) { return complaint(p, spec, value); })
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
}

void print_programs() {
    fmt::print(
        "parley run PROGRAM [options]: runs a program in parallel, checks its result and "
        "measures it\nagainst the serial program in the same run.\n\nPrograms:\n");
    for (const program& p : parley_programs::all_programs()) {
        fmt::print("  {:<14}{}\n", p.name, p.summary);
    }
    fmt::print("\nOptions of each: parley run PROGRAM --help\n");
}

const program& program_named(std::string_view typed) {
    const std::vector<std::string> names = program_names();
    if (typed.starts_with('-')) {
        throw usage_error(
            fmt::format("parley run: the program comes first, before {}; programs: {}", shown(typed), join(names)));
    }
    const program* found = parley_programs::find_program(typed);
    if (found == nullptr) {
        throw usage_error(fmt::format("parley run: there is no program {}; programs: {}{}", shown(typed), join(names),
                                      suggestion(typed, names)));
    }
    return *found;
}

// CLI11 reports what it does not know by name, and what our checks complain of by option.
[[noreturn]] void refuse(const program& p, const CLI::App& app, const std::vector<option>& options,
                         const CLI::ParseError& error) {
    std::vector<std::string> names;
    for (const CLI::Option* o : app.get_options()) {
        names.push_back(o->get_name());
    }
    const std::vector<std::string> extras = app.remaining();
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !extras.empty()) {
        const std::string& extra = extras.front();
        throw usage_error(fmt::format("parley run {}: {} is not an option; options: {}{}", p.name, shown(extra), join(names),
                                      suggestion(extra, names)));
    }
    for (const option& o : options) {  // all of them take one value
        if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr &&
            std::string_view(error.what()).starts_with(fmt::format("--{}:", o.spec.name))) {
            throw usage_error(
                fmt::format("parley run {}: --{} wants a value; allowed: {}", p.name, o.spec.name, allowed_values(o.spec)));
        }
    }
    throw usage_error(fmt::format("parley run {}: {}", p.name, error.what()));
}

std::optional<std::string> value_of(const std::vector<option>& options, std::string_view name) {
    const auto found = std::find_if(options.begin(), options.end(), [&](const option& o) { return o.spec.name == name; });
    return found->value.empty() ? std::nullopt : std::optional(found->value);
}

run_options read(const program& p, const std::vector<option>& options, bool profile,
                 const std::vector<std::string>& tuning) {
    const auto number = [&](std::string_view name) -> std::optional<std::uint32_t> {
        const auto text = value_of(options, name);
        return text ? std::optional(static_cast<std::uint32_t>(std::stoul(*text))) : std::nullopt;
    };
    run_options wanted;
    wanted.what = &p;
    wanted.scheduler = value_of(options, "scheduler").value_or("parley");
    wanted.workers = number("workers");
    wanted.repeat = number("repeat");
    wanted.watchdog = value_of(options, "watchdog").value_or("");
    wanted.json_file = value_of(options, "json").value_or("");
    wanted.profile_file = value_of(options, "profile-svg").value_or("");
    wanted.trace_file = value_of(options, "trace").value_or("");
    wanted.profile = profile || !wanted.profile_file.empty();
    wanted.wanted.size = value_of(options, "size").value_or("small");
    wanted.wanted.seed = number("seed");
    const std::string where = fmt::format("parley run {}", p.name);
    for (const std::string& text : tuning) {
        read_tuning(where, text, wanted.tuning);
    }
    require_taken(where, wanted.tuning, {&wanted.scheduler, 1});
    heed_environment(wanted.tuning, {&wanted.scheduler, 1});
    for (const option_spec& spec : p.options) {
        if (const auto value = value_of(options, spec.name)) {
            wanted.wanted.given[std::string(spec.name)] = *value;
        }
    }
    return wanted;
}

// Other schedulers do not say what their workers do.
void refuse_for_others(const program& p, const run_options& wanted) {
    const char* const option = wanted.profile ? "--profile" : !wanted.trace_file.empty() ? "--trace" : nullptr;
    if (option != nullptr && wanted.scheduler != "parley" && wanted.scheduler != parley_programs::scheduler_of_papers) {
        throw usage_error(fmt::format("parley run {}: {} is for --scheduler parley or parley-papers, not {}", p.name, option,
                                      wanted.scheduler));
    }
}

}  // namespace

std::optional<run_options> parse_run(std::span<const char* const> words) {
    if (words.empty()) {
        throw usage_error(
            fmt::format("parley run: which program? programs: {}; see parley run "
                        "--help",
                        join(program_names())));
    }
    const std::string_view first = words.front();
    if (first == "--help" || first == "-h") {
        print_programs();
        return std::nullopt;
    }
    const program& p = program_named(first);
    std::vector<option> options = options_of(p);
    CLI::App app(std::string(p.summary), "parley run " + std::string(p.name));
    add_options(app, p, options);
    bool profile = false;
    app.add_flag("--profile", profile, "what each worker's time went to (parley only; costs up to 2%)");
    std::vector<std::string> tuning;
    app.add_option("--tuning", tuning, tuning_help())->option_text("KEY=VALUE,...")->allow_extra_args(false);
    try {
        app.parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", app.help());
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        refuse(p, app, options, error);
    }
    run_options wanted = read(p, options, profile, tuning);
    refuse_for_others(p, wanted);
    const std::string wrong = p.complaint != nullptr ? p.complaint(p.parameters(wanted.wanted)) : "";
    if (!wrong.empty()) {
        throw usage_error(fmt::format("parley run {}: {}", p.name, wrong));
    }
    return wanted;
}

}  // namespace parley_cli
