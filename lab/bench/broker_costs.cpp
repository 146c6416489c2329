// How soon things happen under a broker, and in a runtime that is resized, on this machine.
//
//   resize   from resize(1) until worker 1 has ended its last task, and until it is asleep; from resize(2) until it
//            works again; the other worker works on
//   join     from the client's making until it has its page and its allotment
//   told     from a neighbour's hello until the program's client has told it of fewer cores; from the neighbour's
//            SIGKILL until it has told of more
//   cores    the same two for a runtime that works: until the last task on the core that goes has ended; until the
//            first one on the core that came has begun
//   rejoin   a broker is killed; from another one's start at its socket until the client has a page and an allotment
//   idle     seconds of processor time of a process whose client is joined, and of one that finds no broker
//
// Medians, first and last decile. JSON lines with --json FILE.
// Usage: broker-costs [--rounds N] [--idle SECONDS] [--json FILE] [resize|join|told|cores|rejoin|idle ...]
#include "command/machine.hpp"
#include "command/number_between.hpp"
#include "lab/bench/broker_here.hpp"
#include "lab/bench/measure.hpp"

#include <broker/client/client.hpp>
#include <parley/parley.hpp>
#include <parley_build_info.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;
using parley_bench::clock;
using moment = clock::time_point;
using series = std::vector<double>;  // seconds

double between(moment from, moment to) { return std::chrono::duration<double>(to - from).count(); }

parley::broker::client_options options_for(const std::string& socket) {
    parley::broker::client_options o;
    o.socket = socket;
    o.most = parley_cli::online_processors();
    return o;
}

// What a client was told last, and when.
class told {
public:
    parley::broker::client_calls calls() {
        parley::broker::client_calls c;
        c.on_allotment = [this](const parley::broker::allotment& a) { note(a.alone.size() + a.shared.size()); };
        c.on_feedback_page = [this](parley::broker::feedback_page* page) {
            if (page == nullptr) note(0);
        };
        return c;
    }
    // The moment at which it was told of so many cores.
    template <class Condition>
    moment wait(Condition holds) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, 20s, [&] { return holds(cores_); }))
            throw std::runtime_error("broker-costs: told nothing");
        return at_;
    }

private:
    void note(std::size_t cores) {
        const moment now = clock::now();
        const std::lock_guard lock(mutex_);
        cores_ = cores;
        at_ = now;
        changed_.notify_all();
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t cores_ = 0;
    moment at_;
};

// This program again, as another one that the broker knows or as a broker; ends with this object.
class process {
public:
    process(const char* role, const std::string& socket) {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("broker-costs: no pipe");
        const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
        pid_ = fork();
        if (pid_ == 0) {
            dup2(ends[1], STDOUT_FILENO);
            execl(self.c_str(), self.c_str(), role, socket.c_str(), static_cast<char*>(nullptr));
            _exit(127);
        }
        close(ends[1]);
        if (read(ends[0], &began_, sizeof began_) != sizeof began_) throw std::runtime_error("broker-costs: no process");
        close(ends[0]);
    }
    ~process() {
        if (pid_ > 0) kill();
    }
    process(const process&) = delete;
    process& operator=(const process&) = delete;

    [[nodiscard]] moment began() const { return began_; }
    moment kill() {
        const moment now = clock::now();
        ::kill(pid_, SIGKILL);
        waitpid(std::exchange(pid_, -1), nullptr, 0);
        return now;
    }

private:
    pid_t pid_ = -1;
    moment began_;
};

// The clock is the same in all processes.
void say_now() {
    const moment now = clock::now();
    if (write(STDOUT_FILENO, &now, sizeof now) != sizeof now) _exit(1);
}
int as_neighbour(const std::string& socket) {
    say_now();
    const parley::broker::client c(options_for(socket), {});
    for (;;) pause();
}
int as_broker(const std::string& socket) {
    const auto broker = parley_bench::broker_at(socket);
    say_now();
    for (;;) pause();
}

// Tasks of about a microsecond without end, and when worker 1 has begun its last one.
class endless {
public:
    void work() {
        while (!over_.load(std::memory_order_relaxed)) parley::for_each_index(0, 1000, [&](int) { task(); });
    }
    void end() { over_ = true; }
    [[nodiscard]] moment last() const { return moment(moment::duration(last_.load())); }
    [[nodiscard]] int thread() const { return thread_.load(); }
    // None since `from` for so long.
    [[nodiscard]] bool is_quiet() const { return clock::now() - last() > 20ms; }
    template <class Condition>
    static void until(Condition holds) {
        for (int i = 0; !holds(); ++i) {
            if (i > 20'000) throw std::runtime_error("broker-costs: worker 1 does not follow");
            std::this_thread::sleep_for(1ms);
        }
    }
    // The first task of worker 1 from now on.
    void expect_first() { first_ = 0; }
    [[nodiscard]] bool has_first() const { return first_.load() != 0; }
    [[nodiscard]] moment first() const { return moment(moment::duration(first_.load())); }

private:
    void task() {
        if (parley::worker_index() == 1) {
            const auto now = clock::now().time_since_epoch().count();
            if (first_.load(std::memory_order_relaxed) == 0) first_ = now;
            last_.store(now, std::memory_order_relaxed);
            if (thread_.load(std::memory_order_relaxed) == 0) thread_ = gettid();
        }
        for (int i = 0; i < 1000; ++i) asm volatile("" : : "r"(i));
    }
    std::atomic<bool> over_ = false;
    std::atomic<clock::rep> first_ = 0, last_ = 0;
    std::atomic<int> thread_ = 0;
};

// Tasks in a runtime, on a thread of its own, for the life of this object.
class at_work {
public:
    explicit at_work(parley::runtime& r) : thread_([&r, this] { r.run([this] { tasks.work(); }); }) {}
    ~at_work() {
        tasks.end();
        thread_.join();
    }
    at_work(const at_work&) = delete;
    at_work& operator=(const at_work&) = delete;

    endless tasks;

private:
    std::thread thread_;
};

// Does the system say that it sleeps? Its state follows its name, which ends with the last bracket.
bool is_asleep(int thread) {
    std::ifstream file(fmt::format("/proc/self/task/{}/stat", thread));
    std::string line;
    std::getline(file, line);
    const auto bracket = line.rfind(')');
    return bracket != std::string::npos && bracket + 2 < line.size() && line[bracket + 2] == 'S';
}

struct bench {
    int rounds = 50;
    double idle_seconds = 5;
    std::ofstream json = {};

    void report(const std::string& what, series samples) {
        std::sort(samples.begin(), samples.end());
        const auto at = [&](double part) {
            return samples[static_cast<std::size_t>(part * static_cast<double>(samples.size() - 1))];
        };
        fmt::print("{:<44} {:>9.1f} {:>9.1f} {:>9.1f}\n", what, 1e6 * at(0.5), 1e6 * at(0.1), 1e6 * at(0.9));
        std::fflush(stdout);
        if (json.is_open())
            json << nlohmann::json{{"what", what},
                                   {"repetitions", samples.size()},
                                   {"seconds", samples},
                                   {"median", at(0.5)},
                                   {"p10", at(0.1)},
                                   {"p90", at(0.9)},
                                   {"machine", parley_cli::machine_summary()},
                                   {"compiler", PARLEY_COMPILER},
                                   {"commit", PARLEY_COMMIT}}
                        .dump()
                 << '\n';
    }

    // Worker 0 works on in another thread; this one, which sleeps, asks.
    void resize() {
        parley::options o;
        o.workers = 2;
        o.broker = "";
        parley::runtime r(o);
        at_work inside(r);
        endless& tasks = inside.tasks;
        series ended, asleep, back;
        for (int i = 0; i < rounds; ++i) {
            tasks.expect_first();
            const moment grown = clock::now();
            r.resize(2);
            endless::until([&] { return tasks.has_first(); });
            if (i > 0) back.push_back(between(grown, tasks.first()));
            const moment shrunk = clock::now();
            r.resize(1);
            while (!is_asleep(tasks.thread())) std::this_thread::sleep_for(10us);
            asleep.push_back(between(shrunk, clock::now()));
            endless::until([&] { return tasks.is_quiet(); });
            ended.push_back(std::max(0.0, between(shrunk, tasks.last())));
        }
        report("resize(1) until worker 1's last task began", ended);
        report("resize(1) until worker 1 is asleep", asleep);
        report("resize(2) until worker 1 works", back);
    }

    void join() {
        const parley_bench::own_folder here;
        const auto broker = parley_bench::broker_at(here.socket());
        series all;
        for (int i = 0; i < rounds; ++i) {
            told what;
            const moment begin = clock::now();
            const parley::broker::client c(options_for(here.socket()), what.calls());
            all.push_back(between(begin, what.wait([](std::size_t cores) { return cores > 0; })));
        }
        report("a client's making until its first allotment", all);
    }

    void tell() {
        const parley_bench::own_folder here;
        const auto broker = parley_bench::broker_at(here.socket());
        told what;
        const std::size_t all = parley_cli::online_processors();
        const parley::broker::client c(options_for(here.socket()), what.calls());
        series fewer, more;
        for (int i = 0; i < rounds; ++i) {
            what.wait([&](std::size_t cores) { return cores == all; });
            process neighbour("--neighbour", here.socket());
            fewer.push_back(between(neighbour.began(), what.wait([&](std::size_t cores) { return cores < all; })));
            std::this_thread::sleep_for(100ms);
            const moment killed = neighbour.kill();
            more.push_back(between(killed, what.wait([&](std::size_t cores) { return cores == all; })));
        }
        report("a neighbour's hello until told of fewer cores", fewer);
        report("a neighbour's SIGKILL until told of more", more);
    }

    void cores() {
        const parley_bench::own_folder here;
        const auto broker = parley_bench::broker_at(here.socket());
        parley::options o;
        o.workers = 2;
        o.broker = here.socket();
        parley::runtime r(o);
        at_work inside(r);
        endless& tasks = inside.tasks;
        series gone, used;
        for (int i = 0; i < rounds; ++i) {
            endless::until([&] { return r.active_workers() == 2 && tasks.has_first() && !tasks.is_quiet(); });
            process neighbour("--neighbour", here.socket());
            endless::until([&] { return r.active_workers() == 1 && tasks.is_quiet(); });
            gone.push_back(std::max(0.0, between(neighbour.began(), tasks.last())));
            tasks.expect_first();
            const moment killed = neighbour.kill();
            endless::until([&] { return tasks.has_first(); });
            used.push_back(between(killed, tasks.first()));
        }
        report("a neighbour's hello until its core is left", gone);
        report("a neighbour's SIGKILL until its core is used", used);
    }

    void rejoin() {
        const parley_bench::own_folder here;
        auto broker = std::make_unique<process>("--broker", here.socket());
        told what;
        const parley::broker::client c(options_for(here.socket()), what.calls());
        series all;
        for (int i = 0; i < rounds; ++i) {
            what.wait([](std::size_t cores) { return cores > 0; });
            std::this_thread::sleep_for(1100ms);  // one that dies sooner is thought to be broken, and not trusted as fast
            broker->kill();
            what.wait([](std::size_t cores) { return cores == 0; });
            broker = std::make_unique<process>("--broker", here.socket());
            all.push_back(between(broker->began(), what.wait([](std::size_t cores) { return cores > 0; })));
        }
        report("a broker's return until the next allotment", all);
    }

    void idle() {
        const auto used = [&](const std::string& socket) {
            const parley::broker::client c(options_for(socket), {});
            std::this_thread::sleep_for(3s);  // joined, or resting
            const auto time = [] {
                timespec t{};
                clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
                return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
            };
            const double before = time();
            std::this_thread::sleep_for(std::chrono::duration<double>(idle_seconds));
            return time() - before;
        };
        const parley_bench::own_folder here;
        report(fmt::format("processor time in {} s, no broker", idle_seconds), {used(here.socket())});
        const process broker("--broker", here.socket());
        report(fmt::format("processor time in {} s, joined", idle_seconds), {used(here.socket())});
    }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string(argv[1]) == "--neighbour") return as_neighbour(argv[2]);
    if (argc == 3 && std::string(argv[1]) == "--broker") return as_broker(argv[2]);
    bench b;
    std::string json;
    std::vector<std::string> wanted;
    const std::array<std::pair<const char*, void (bench::*)()>, 6> parts{{{"resize", &bench::resize},
                                                                          {"join", &bench::join},
                                                                          {"told", &bench::tell},
                                                                          {"cores", &bench::cores},
                                                                          {"rejoin", &bench::rejoin},
                                                                          {"idle", &bench::idle}}};
    std::vector<std::string> names;
    for (const auto& [name, part] : parts) names.emplace_back(name);
    CLI::App app("How soon things happen under a broker");
    app.add_option("--rounds", b.rounds, "times each is measured")->check(CLI::Range(1, 100'000));
    app.add_option("--idle", b.idle_seconds, "seconds that idle clients are looked at")
        ->check(parley_cli::number_between(0.1, 3600.0));
    app.add_option("--json", json, "file for JSON lines");
    app.add_option("parts", wanted, "which; all of them by default")->check(CLI::IsMember(names));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (parley_cli::online_processors() < 2) {
        fmt::print(stderr, "broker-costs: one core has nothing to share\n");
        return 2;
    }
    if (!json.empty()) {
        b.json.open(json);
        if (!b.json) {
            fmt::print(stderr, "broker-costs: cannot write {}\n", json);
            return 2;
        }
    }
    fmt::print("{}\n{}, commit {}\n{} rounds, microseconds\n{:<44} {:>9} {:>9} {:>9}\n", parley_cli::machine_summary(),
               PARLEY_COMPILER, PARLEY_COMMIT, b.rounds, "", "median", "p10", "p90");
    try {
        for (const auto& [name, part] : parts)
            if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) (b.*part)();
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        std::_Exit(1);  // threads may still be at work
    }
    if (!b.json.is_open() || b.json.flush()) return 0;
    fmt::print(stderr, "broker-costs: {} could not be written to its end\n", json);
    return 1;
}
