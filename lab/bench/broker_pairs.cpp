// Real programs on this machine, with a broker and without: each alone, and two at a time (BIAS figures 5 to 7).
//
//   alone    off (no client), absent (a client that finds no broker), on (alone under a broker)
//   pairs    time-sharing (both with all workers, which park), halves (each its half of the cores), broker
//   openmp   two OpenMP programs whose threads spin: fighting, and each under `parley broker run`
//
// Processes are made and runtimes warmed up before. Times alone are those of the computation, without what prepares and
// checks it; together, from a common start to the end of all. Ways in turn, medians and 95% intervals of the ratios
// round by round. JSON lines with --json FILE.
// Usage: broker-pairs [--rounds N] [--seconds S] [--input PROGRAM=N ...] [--json FILE] [alone|pairs|openmp ...]
#include "command/machine.hpp"
#include "command/number_between.hpp"
#include "command/statistics.hpp"
#include "lab/bench/broker_here.hpp"
#include "lab/bench/broker_programs.hpp"

#include <parley_build_info.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using clock = std::chrono::steady_clock;
using series = std::vector<double>;

// A program of its own: this one, called again.
struct child {
    std::string program;
    int repetitions = 1;
    unsigned workers = 1;
    std::string socket = {};      // of a broker; empty: none
    std::vector<int> cores = {};  // empty: all
    bool is_led = false;          // by `parley broker run`
};

std::string own_path() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

class started {
public:
    explicit started(const child& what) {
        std::array<int, 2> ready{}, go{};
        if (pipe(ready.data()) != 0 || pipe(go.data()) != 0) throw std::runtime_error("broker-pairs: no pipe");
        pid_ = fork();
        if (pid_ == 0) {
            dup2(ready[1], 3);
            dup2(go[0], 4);
            for (int fd = 5; fd < 64; ++fd) close(fd);
            run(what);
        }
        close(ready[1]);
        close(go[0]);
        ready_ = ready[0];
        go_ = go[1];
    }
    void wait_until_ready() const {
        char c = 0;
        if (read(ready_, &c, 1) != 1) throw std::runtime_error("broker-pairs: a program did not start");
    }
    void go() const {
        const char c = 1;
        if (write(go_, &c, 1) != 1) throw std::runtime_error("broker-pairs: a program has gone");
    }
    struct end {
        double took = 0, computed = 0, cpu = 0;  // seconds: from `start`, of the computation alone, of processors
    };
    end wait(clock::time_point start) const {
        int status = 0;
        rusage used{};
        double computed = 0;
        if (read(ready_, &computed, sizeof computed) != sizeof computed)
            throw std::runtime_error("broker-pairs: a program has gone");
        if (wait4(pid_, &status, 0, &used) != pid_ || status != 0)
            throw std::runtime_error("broker-pairs: a program failed");
        const std::chrono::duration<double> took = clock::now() - start;
        close(ready_);
        close(go_);
        const auto seconds = [](const timeval& t) {
            return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
        };
        return {took.count(), computed, seconds(used.ru_utime) + seconds(used.ru_stime)};
    }

private:
    [[noreturn]] static void run(const child& what) {
        if (!what.cores.empty()) {
            cpu_set_t cores;
            CPU_ZERO(&cores);
            for (const int c : what.cores) CPU_SET(static_cast<unsigned>(c), &cores);
            sched_setaffinity(0, sizeof cores, &cores);
        }
        setenv("OMP_WAIT_POLICY", "active", 1);
        unsetenv("PARLEY_BROKER");
        const std::string self = own_path();
        const std::string parley = (std::filesystem::path(self).parent_path() / "parley").string();
        const std::string repetitions = std::to_string(what.repetitions), workers = std::to_string(what.workers);
        std::vector<const char*> words;
        if (what.is_led) words = {parley.c_str(), "broker", "run", "--socket", what.socket.c_str(), "--"};
        words.insert(words.end(), {self.c_str(), "--child", what.program.c_str(), repetitions.c_str(), workers.c_str(),
                                   what.is_led ? "" : what.socket.c_str(), nullptr});
        execv(words[0], const_cast<char**>(words.data()));
        _exit(127);
    }

    pid_t pid_ = 0;
    int ready_ = -1, go_ = -1;
};

int run_child(const std::string& name, int repetitions, unsigned workers, const std::string& socket) {
    broker_programs::program p(name, workers, socket);
    p.run();  // threads, memory
    char c = 1;
    if (write(3, &c, 1) != 1 || read(4, &c, 1) != 1) return 1;
    double computed = 0;
    for (int i = 0; i < repetitions; ++i) computed += p.run();
    // The runtime's end is not what is measured, and neither is the process'.
    return write(3, &computed, sizeof computed) == sizeof computed ? 0 : 1;
}

struct broker_here {
    explicit broker_here(bool is_on) : daemon(is_on ? parley_bench::broker_at(folder.socket()) : nullptr) {}
    parley_bench::own_folder folder;
    std::unique_ptr<parley::broker::service::daemon> daemon;
};

struct outcome {
    double last = 0, mean = 0, computed = 0, cpu = 0;  // seconds; computed: by all
};
outcome run_together(const std::vector<child>& what) {
    std::vector<std::unique_ptr<started>> all;
    for (const child& c : what) all.push_back(std::make_unique<started>(c));
    for (const auto& s : all) s->wait_until_ready();
    const auto start = clock::now();
    for (const auto& s : all) s->go();
    // Whoever ends first is not waited for first: a thread for each would disturb more than the order does.
    outcome o;
    for (const auto& s : all) {
        const started::end e = s->wait(start);
        o.last = std::max(o.last, e.took);
        o.mean += e.took / static_cast<double>(all.size());
        o.computed += e.computed;
        o.cpu += e.cpu;
    }
    return o;
}

struct bench {
    int rounds = 15;
    double seconds = 0.5;
    unsigned cores = parley_cli::online_processors();
    std::vector<std::string> inputs = {};  // as "fib=40"
    std::map<std::string, int> repetitions = {};
    std::ofstream json = {};

    // So many that one program alone takes `seconds`.
    int repetitions_of(const std::string& program) {
        if (const auto known = repetitions.find(program); known != repetitions.end()) return known->second;
        constexpr int few = 4;
        const double took = run_together({{.program = typed(program), .repetitions = few, .workers = cores}}).last;
        const int n = std::clamp(static_cast<int>(few * seconds / took), 1, 1'000'000);
        return repetitions[program] = n;
    }
    child of(const std::string& program) {
        return {.program = typed(program), .repetitions = repetitions_of(program), .workers = cores};
    }
    [[nodiscard]] std::string typed(const std::string& program) const {
        const auto given =
            std::find_if(inputs.begin(), inputs.end(), [&](const std::string& i) { return i.starts_with(program + '='); });
        return given == inputs.end() ? program : *given;
    }

    // `time`: what is compared.
    void report(const std::string& what, const std::vector<std::string>& ways, double outcome::* time,
                const std::vector<std::vector<outcome>>& all) {
        for (std::size_t w = 0; w < ways.size(); ++w) {
            series times, ratio, cpu, mean;
            for (std::size_t r = 0; r < all[w].size(); ++r) {
                times.push_back(all[w][r].*time);
                mean.push_back(all[w][r].mean);
                cpu.push_back(all[w][r].cpu);
                ratio.push_back(all[w][r].*time / (all[0][r].*time));
            }
            const auto i = parley_cli::median_interval(ratio);
            fmt::print("{:<32} {:<13} {:>8.3f} {:>8.3f}  {:.3f} [{:.3f}, {:.3f}]\n", what, ways[w],
                       parley_cli::median_of(times), parley_cli::median_of(cpu), i.middle, i.low, i.high);
            std::fflush(stdout);
            if (json.is_open())
                json << nlohmann::json{{"programs", what},
                                       {"way", ways[w]},
                                       {"rounds", rounds},
                                       {"seconds", times},
                                       {"mean_flow", mean},
                                       {"cpu", cpu},
                                       {"ratio", {i.low, i.middle, i.high}},
                                       {"machine", parley_cli::machine_summary()},
                                       {"compiler", PARLEY_COMPILER},
                                       {"commit", PARLEY_COMMIT}}
                            .dump()
                     << '\n';
        }
    }
    template <class Make>
    void compare(const std::string& what, const std::vector<std::string>& ways, double outcome::* time, const Make& run) {
        std::vector<std::vector<outcome>> all(ways.size());
        for (int r = 0; r < rounds; ++r)
            for (std::size_t i = 0; i < ways.size(); ++i) {
                const std::size_t w = (i + static_cast<std::size_t>(r)) % ways.size();
                all[w].push_back(run(ways[w]));
            }
        report(what, ways, time, all);
    }

    void alone(const std::string& program) {
        compare(typed(program), {"off", "absent", "on"}, &outcome::computed, [&](const std::string& way) {
            const broker_here here(way == "on");
            child c = of(program);
            if (way != "off") c.socket = here.folder.socket();
            return run_together({c});
        });
    }
    void pair(const std::string& a, const std::string& b) {
        compare(typed(a) + " + " + typed(b), {"time-sharing", "halves", "broker"}, &outcome::last,
                [&](const std::string& way) {
                    const broker_here here(way == "broker");
                    std::vector<child> both{of(a), of(b)};
                    for (std::size_t i = 0; i < 2; ++i) {
                        if (way == "broker") both[i].socket = here.folder.socket();
                        if (way != "halves") continue;
                        both[i].workers = cores / 2;
                        const int half = static_cast<int>(cores / 2);
                        for (int c = 0; c < half; ++c) both[i].cores.push_back(static_cast<int>(i) * half + c);
                    }
                    return run_together(both);
                });
    }
    void openmp() {
        compare("openmp-phases + openmp-phases", {"fighting", "broker run"}, &outcome::last, [&](const std::string& way) {
            const broker_here here(way == "broker run");
            child c{.program = "openmp-phases", .repetitions = 20, .workers = cores};
            c.is_led = way == "broker run";
            if (c.is_led) c.socket = here.folder.socket();
            return run_together({c, c});
        });
    }
};

std::string can_be_input(const std::string& typed) {
    const std::size_t sign = typed.find('=');
    const auto known = broker_programs::of_the_command().find(typed.substr(0, sign));
    if (sign == std::string::npos || known == broker_programs::of_the_command().end() || !known->second.second.contains("n"))
        return typed + ": fft=N, fib=N, knapsack=N or nqueens=N";
    const parley_programs::option_spec& n = parley_programs::find_program(known->second.first)->options.front();
    std::int64_t value = 0;
    const char* const end = typed.data() + typed.size();
    const auto [last, error] = std::from_chars(typed.data() + sign + 1, end, value);
    const bool fits =
        error == std::errc() && last == end && value >= n.low && value <= n.high && (n.allows == nullptr || n.allows(value));
    return fits ? "" : fmt::format("{}: {} to {}{}", typed, n.low, n.high, n.only.empty() ? "" : " " + std::string(n.only));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 6 && std::string(argv[1]) == "--child")
        return run_child(argv[2], std::atoi(argv[3]), static_cast<unsigned>(std::atoi(argv[4])), argv[5]);
    bench b;
    std::string json;
    std::vector<std::string> parts;
    CLI::App app("Programs alone and in pairs, with a broker and without");
    app.add_option("--rounds", b.rounds, "times each way is run")->check(CLI::Range(1, 1000));
    app.add_option("--seconds", b.seconds, "about what one program takes alone")
        ->check(parley_cli::number_between(0.01, 60.0));
    app.add_option("--input", b.inputs, "another n of fft, fib, knapsack or nqueens, as fib=40")->check(can_be_input);
    app.add_option("--json", json, "file for JSON lines");
    app.add_option("parts", parts, "alone, pairs, openmp")->check(CLI::IsMember({"alone", "pairs", "openmp"}));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (b.cores < 2) {
        fmt::print(stderr, "broker-pairs: one core has nothing to share\n");
        return 2;
    }
    if (!json.empty()) {
        b.json.open(json);
        if (!b.json) {
            fmt::print(stderr, "broker-pairs: cannot write {}\n", json);
            return 2;
        }
    }
    const auto wants = [&](const char* part) {
        return parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end();
    };
    fmt::print(
        "{}\n{}, commit {}\n{} rounds; seconds and seconds of processors: medians; ratio to the first way, round by "
        "round, with its 95% interval\n",
        parley_cli::machine_summary(), PARLEY_COMPILER, PARLEY_COMMIT, b.rounds);
    fmt::print("{:<32} {:<13} {:>8} {:>8}  {}\n", "programs", "way", "seconds", "cpu", "ratio");
    try {
        if (wants("alone"))
            for (const char* p : broker_programs::names) b.alone(p);
        if (wants("pairs"))
            for (const auto& [x, y] : broker_programs::pairs) b.pair(x, y);
        if (wants("openmp") && broker_programs::has_openmp) b.openmp();
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    if (!b.json.is_open() || b.json.flush()) return 0;
    fmt::print(stderr, "broker-pairs: {} could not be written to its end\n", json);
    return 1;
}
