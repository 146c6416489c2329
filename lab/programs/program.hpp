// What a program is to those who run it: a name, options, sizes, and jobs that run it on a
// scheduler.
#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/peers/scheduler.hpp"

namespace parley_programs {

using json = nlohmann::ordered_json;

// A run that ended because somebody called job::cancel().
struct interrupted : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

// One repetition: the computation alone, by the steady clock.
struct timed_result {
    double seconds = 0.0;
    json result;
    std::vector<parley_peers::worker_times> times = {};  // by worker; empty unless they were asked for
};

// A program with its parameters on a scheduler with its workers, ready to run again and again.
class job {
public:
    job() = default;
    job(const job&) = delete;
    job& operator=(const job&) = delete;
    virtual ~job() = default;

    // Throws `interrupted` if cancel() was called meanwhile.
    [[nodiscard]] virtual timed_result run() = 0;

    // Between runs: frees its data (what it reads, and memory to work in) until make_data(), which has to come before
    // the next run.
    virtual void free_data() = 0;
    // The same data again, elsewhere in memory perhaps. Throws std::bad_alloc.
    virtual void make_data() = 0;

    // The others may be called by any thread while it runs.

    // What the repetition has found up to now; null if that shows only at the end.
    [[nodiscard]] virtual json so_far() = 0;
    virtual void cancel() = 0;
    [[nodiscard]] virtual unsigned workers() const = 0;

    // What the scheduler was tuned with for this program: an object, empty for most. Between runs.
    [[nodiscard]] virtual json tuning() const { return json::object(); }
    [[nodiscard]] virtual std::vector<parley_peers::worker_counts> counts() const = 0;
    virtual void dump(std::FILE* out) const = 0;
};

// An option of one program: a whole number from low to high, perhaps not each of them, or one of some words.
struct option_spec {
    std::string_view name;
    std::string_view help;
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::vector<std::string> words;
    bool (*allows)(std::int64_t) = nullptr;  // of the numbers from low to high; null: all of them
    std::string_view only = {};              // which those are, as the end of a sentence
};

// The sizes that every program has: small ones for a desk, those of the 2014 paper, of the thesis'
// chapters 2 to 5, and of its chapter 6.
[[nodiscard]] const std::vector<std::string>& size_names();

// What the user asked for. `given` holds the program's own options, checked against their specs.
struct request {
    std::string size = "small";
    std::map<std::string, std::string> given;
    std::optional<std::uint64_t> seed;
};

// Medians of what was measured, in seconds.
struct figures {
    unsigned workers = 1;
    double seconds = 0.0;
    double serial_seconds = 0.0;
    std::optional<double> serial_inlined_seconds;
};

// Parley with the papers' machine (lab/papers) is a scheduler of its own. All programs run on it, and comparisons have it
// only where it is named.
inline constexpr std::string_view scheduler_of_papers = "parley-papers";

// Makes a program's job on a scheduler that it runs on.
struct job_maker {
    using function = std::unique_ptr<job> (*)(const json& parameters, std::string_view scheduler,
                                              const parley_peers::setup& setup);
    function here = nullptr;       // on all but
    function on_papers = nullptr;  // where `parley` is the papers'

    job_maker() = default;
    job_maker(function f) noexcept : here(f) {}

    std::unique_ptr<job> operator()(const json& parameters, std::string_view scheduler,
                                    const parley_peers::setup& setup) const {
        return scheduler == scheduler_of_papers ? on_papers(parameters, "parley", setup)
                                                : here(parameters, scheduler, setup);
    }
};

struct program {
    std::string_view name;
    std::string_view summary;
    std::vector<option_spec> options;

    // What defines the work, with all defaults filled in.
    json (*parameters)(const request&);

    // What is wrong with parameters of which each by itself is allowed, as a sentence that names the option; empty if
    // nothing is. Null if nothing can be.
    std::string (*complaint)(const json& parameters) = nullptr;

    // What is known of the result beforehand, whoever computes it: some of its keys, or none. In place of a value,
    // {"at_most": number} is a bound.
    json (*known)(const json& parameters);

    // The scheduler is one of schedulers_of() it.
    job_maker make;

    // Whether it also runs on the schedulers that run programs in Rust only.
    bool is_in_rust = false;

    // Whether it also runs on the schedulers with another way to divide loops: see schedulers_with_splits().
    bool has_loops = false;

    // Whether it has many short loops, one after another: it also runs on the forms that schedulers have for those, such as
    // `openmp-region`.
    bool has_phases = false;

    // Whether it also runs on the schedulers with other futures: see schedulers_with_futures().
    bool forks = false;

    // Whether it is a stream, which runs on other schedulers: those of lab/peers/streams.
    bool streams = false;

    // A second serial program, which the compiler may inline into itself; null for most programs.
    std::unique_ptr<job> (*make_inlined)(const json& parameters) = nullptr;

    // How many loops a run has, one after another: what each of them takes is worth a look. Null for most programs.
    std::uint64_t (*loops)(const json& parameters) = nullptr;

    // What is worth saying about the figures of this program, line by line; null for most.
    std::vector<std::string> (*remarks)(const json& parameters, const figures&) = nullptr;
};

// Whether a value that was found is the known one, or within the known bound.
[[nodiscard]] bool agrees(const json& found, const json& known);

[[nodiscard]] const std::vector<program>& all_programs();

// Null if there is none of that name.
[[nodiscard]] const program* find_program(std::string_view name);

// All of this build.
[[nodiscard]] const std::vector<std::string>& scheduler_names();

// Those that the program runs on.
[[nodiscard]] std::vector<std::string> schedulers_of(const program&);

// As `deque-half`: those with a way to divide loops that is not their own choice. Only programs that
// have loops run on them, and comparisons have them only where they are named.
[[nodiscard]] const std::vector<std::string>& schedulers_with_splits();

// `parley-channel` and `parley-free-list`: the thesis' futures. Only programs that fork, or spawn and await, run
// on them, and comparisons have them only where they are named.
[[nodiscard]] const std::vector<std::string>& schedulers_with_futures();

// All names that may be typed for the program.
[[nodiscard]] std::vector<std::string> schedulers_allowed_for(const program&);

// What a scheduler needs that was not built, as a part of a sentence; empty for others.
[[nodiscard]] std::string needs_of_unbuilt(std::string_view scheduler);

}  // namespace parley_programs
