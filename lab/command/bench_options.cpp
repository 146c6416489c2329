#include "lab/command/bench_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <limits>
#include <parley/parley.hpp>

#include "command/usage.hpp"
#include "lab/command/parse_words.hpp"
#include "lab/command/suite.hpp"
#include "lab/command/tuning_option.hpp"

namespace parley_cli {
namespace {

constexpr const char* defaults = "fib nqueens uts";

struct texts {
    std::vector<std::string> programs;
    std::string schedulers, workers, repeat, seconds, size, seed, json, plot;
    std::optional<std::string> suite;
    std::vector<std::string> tuning;
};

std::vector<std::string> split(const std::string& option, const std::string& list) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (;;) {
        const std::size_t comma = list.find(',', begin);
        parts.push_back(list.substr(begin, comma - begin));
        if (parts.back().empty()) {
            throw usage_error(
                fmt::format("parley bench: --{} {}: wants a list with commas and no spaces, as a,b,c", option, shown(list)));
        }
        if (comma == std::string::npos) {
            return parts;
        }
        begin = comma + 1;
    }
}

template <class T>
void add_once(std::vector<T>& list, const T& value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) {
        list.push_back(value);
    }
}

unsigned number(const std::string& option, const std::string& text, std::int64_t low, std::int64_t high) {
    const auto value = whole_number(text);
    if (!value || *value < low || *value > high) {
        throw usage_error(
            fmt::format("parley bench: --{}: {} is not allowed; allowed: a whole "
                        "number from {} to {}",
                        option, shown(text), low, high));
    }
    return static_cast<unsigned>(*value);
}

std::vector<const parley_programs::program*> programs_of(const texts& t) {
    std::vector<const parley_programs::program*> chosen;
    std::vector<std::string> known;
    for (const auto& p : parley_programs::all_programs()) {
        known.emplace_back(p.name);
    }
    const bool is_default = t.programs.empty() && !t.suite;
    for (const std::string& name : is_default ? std::vector<std::string>{"fib", "nqueens", "uts"} : t.programs) {
        const parley_programs::program* found = parley_programs::find_program(name);
        if (found == nullptr) {
            throw usage_error(fmt::format("parley bench: there is no program {}; programs: {}{}", shown(name), join(known),
                                          suggestion(name, known)));
        }
        add_once(chosen, found);
    }
    return chosen;
}

// What is named runs on all of them, and of a suite at least one program on each.
std::vector<std::string> schedulers_of(const texts& t, const std::vector<const parley_programs::program*>& named,
                                       const std::vector<bench_entry>& of_suite) {
    const auto complain = [](const std::string& wrong) {
        if (!wrong.empty()) {
            throw usage_error("parley bench: --scheduler: " + wrong);
        }
    };
    std::vector<std::string> chosen;
    for (const std::string& name : split("scheduler", t.schedulers)) {
        for (const parley_programs::program* p : named) {
            complain(complaint_about_scheduler(name, *p));
        }
        const bool runs_some = std::any_of(of_suite.begin(), of_suite.end(), [&](const bench_entry& e) {
            return complaint_about_scheduler(name, *e.program).empty();
        });
        if (!of_suite.empty() && !runs_some) {
            complain(complaint_about_scheduler(name, *of_suite.front().program));
        }
        add_once(chosen, name);
    }
    return chosen;
}

// The same work is measured once, whether it was named or is the suite's or both.
void add_work(bench_options& wanted, const bench_entry& e) {
    const auto parameters = e.program->parameters(wanted.request_of(e));
    for (bench_entry& known : wanted.entries) {
        if (known.program == e.program && known.program->parameters(wanted.request_of(known)) == parameters) {
            known.workload = e.workload;
            known.schedulers = e.schedulers;
            return;
        }
    }
    wanted.entries.push_back(e);
}

std::string one_of(const std::string& option, const std::string& text, const std::vector<std::string>& words) {
    if (std::find(words.begin(), words.end(), text) == words.end()) {
        throw usage_error(fmt::format("parley bench: --{}: {} is not allowed; allowed: {}{}", option, shown(text),
                                      join(words), suggestion(text, words)));
    }
    return text;
}

bench_options read(const texts& t) {
    bench_options wanted;
    const parley::options environment = parley::options::from_environment();
    if (environment.serial) {
        throw usage_error(
            "parley bench: PARLEY_SERIAL=1 is for debugging and allows no comparison; "
            "allowed: 0, or unset");
    }
    const unsigned here = environment.workers;
    const unsigned automatic = here != 0 ? here : parley::default_workers();
    wanted.workers = {automatic};
    wanted.wanted.size = one_of("size", t.size, parley_programs::size_names());
    if (!t.seed.empty()) {
        wanted.wanted.seed = number("seed", t.seed, 0, std::numeric_limits<std::uint32_t>::max());
    }
    const auto named = programs_of(t);
    for (const parley_programs::program* p : named) {
        wanted.entries.push_back({p, {}});
    }
    suite s;
    if (t.suite) {
        s = suite_named(*t.suite, t.size, automatic);
        for (const bench_entry& e : s.entries) {
            add_work(wanted, e);
        }
        wanted.suite = s.name;
        wanted.schedulers = s.schedulers;
        wanted.unbuilt = s.unbuilt;
        wanted.workers = s.workers;
    }
    if (!t.schedulers.empty()) {
        wanted.schedulers = schedulers_of(t, named, s.entries);
        wanted.unbuilt.clear();
    }
    for (const std::string& text : t.tuning) {
        read_tuning("parley bench", text, wanted.tuning);
    }
    const std::vector<std::string> schedulers =
        wanted.schedulers.empty() ? parley_programs::scheduler_names() : wanted.schedulers;
    require_taken("parley bench", wanted.tuning, schedulers);
    heed_environment(wanted.tuning, schedulers);
    if (!t.workers.empty()) {
        wanted.workers.clear();
        for (const std::string& n : split("workers", t.workers)) {
            add_once(wanted.workers, number("workers", n, 1, parley::max_workers));
        }
    }
    if (!t.repeat.empty()) {
        wanted.repeat = number("repeat", t.repeat, 1, 1'000'000);
    }
    if (!t.seconds.empty()) {
        wanted.seconds = number("seconds", t.seconds, 1, 1'000'000);
    }
    wanted.json_file = t.json;
    wanted.plot_folder = t.plot;
    return wanted;
}

}  // namespace

bool bench_entry::is_for(const std::string& scheduler) const {
    return schedulers.empty() || std::find(schedulers.begin(), schedulers.end(), scheduler) != schedulers.end();
}

parley_programs::request bench_options::request_of(const bench_entry& e) const {
    parley_programs::request r = wanted;
    r.given = e.given;
    return r;
}

std::vector<std::string> bench_options::schedulers_of(const bench_entry& e) const {
    if (schedulers.empty()) {
        return parley_programs::schedulers_of(*e.program);
    }
    std::vector<std::string> those;
    std::copy_if(schedulers.begin(), schedulers.end(), std::back_inserter(those), [&](const std::string& name) {
        return e.is_for(name) && complaint_about_scheduler(name, *e.program).empty();
    });
    return those;
}

bool bench_options::lists_serial() const {
    return schedulers.empty() || std::find(schedulers.begin(), schedulers.end(), "serial") != schedulers.end();
}

std::optional<bench_options> parse_bench(std::span<const char* const> words) {
    texts t;
    t.size = "small";
    CLI::App app("Runs programs on several schedulers in turn and compares them.", "parley bench");
    app.add_option("PROGRAM", t.programs, fmt::format("which programs; default: {}", defaults));
    const auto option = [&](const char* name, auto& value, const std::string& help, const char* text) {
        app.add_option(name, value, help)->option_text(text)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    };
    option("--scheduler", t.schedulers,
           "which schedulers, with commas; here: " + join(parley_programs::scheduler_names()) +
               ", and parley-papers, which has the papers' protocol",
           "LIST (default: all, or the suite's)");
    option("--workers", t.workers, "how many workers, with commas, as 1,2",
           "LIST (default: PARLEY_WORKERS, else all processors; or the suite's)");
    option("--repeat", t.repeat, "rounds; in each, every scheduler runs once",
           "N (default: 15, fewer but 3 if a program takes longer than --seconds)");
    option("--seconds", t.seconds, "no new round of a program after so many seconds, but of 3 rounds",
           "N (default: 12 for each number of workers; with --repeat: none)");
    option("--size", t.size, "small, ch, thesis, ch6: see parley run --help", "WORD (default: small)");
    option("--seed", t.seed, "of the random choices", "K");
    app.add_option("--tuning", t.tuning, tuning_help())->option_text("KEY=VALUE,...")->allow_extra_args(false);
    option("--json", t.json,
           "write one line of JSON for each program, scheduler and number of "
           "workers; - is standard output",
           "FILE");
    option("--plot", t.plot, "draw speedups there, of chapter6 deviations too, as SVG and PNG (wants python3-matplotlib)",
           "DIR");
    option("--suite", t.suite,
           "a prepared list of programs, after those that are named; one that was interrupted goes on if it is "
           "called again with the same --json FILE; here: " +
               join(suite_names()) +
               "; and small and std, which have options of their own: parley bench --suite small --help",
           "NAME");
    if (!parse_words(app, words)) {
        return std::nullopt;
    }
    return read(t);
}

}  // namespace parley_cli
