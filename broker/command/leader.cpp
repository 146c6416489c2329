#include "broker/command/leader.hpp"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <parley/detail/sync/versioned.hpp>
#include <system_error>

namespace parley_cli {
namespace {

using namespace std::chrono_literals;
namespace broker = parley::broker;
using parley::sync::set_part;
using clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC, as in the pages

// A broker that is there answers in less. Begun on all cores, the command would make its threads for all of them.
constexpr auto longest_wait = 50ms;
constexpr std::chrono::nanoseconds least_sample = 20ms;
// Looking at many processes takes a while: no more than one part in so many of one core's time.
constexpr int part_for_looking = 50;
constexpr std::array passed_on{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM};

int checked(int result, const char* what) {
    if (result < 0) {
        throw std::system_error(errno, std::generic_category(), what);
    }
    return result;
}

cpu_set_t set_of(const broker::allotment& given) {
    cpu_set_t set{};
    for (const auto* cores : {&given.alone, &given.shared}) {
        for (const broker::core_id core : *cores) {
            CPU_SET(core, &set);
        }
    }
    return set;
}

std::uint64_t time_in(const rusage& usage) {
    const auto nanoseconds = [](const timeval& t) {
        return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_usec) * 1000;
    };
    return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
}

// Those of the terminal, which the kernel sends, reach the command by themselves: it is in the same process group. What
// the kernel sends beside them, as a timer's end, is for this process alone.
bool reaches_the_command_by_itself(const signalfd_siginfo& info) {
    const bool can_be_the_terminals = info.ssi_signo == SIGINT || info.ssi_signo == SIGQUIT || info.ssi_signo == SIGHUP;
    return can_be_the_terminals && info.ssi_code > 0;
}

// "0-3,7"
std::string text_of(const cpu_set_t& cores) {
    std::string text;
    for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
        if (!CPU_ISSET(core, &cores)) {
            continue;
        }
        std::size_t last = core;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &cores)) {
            ++last;
        }
        text += (text.empty() ? "" : ",") + (last == core ? fmt::format("{}", core) : fmt::format("{}-{}", core, last));
        core = last;
    }
    return text;
}

}  // namespace

broker_news::broker_news() : event_(checked(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {}

broker_news::~broker_news() { close(event_); }

template <class Change>
void broker_news::note(Change change) {
    const std::lock_guard lock(mutex_);
    change(now_);
    changed_.notify_all();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(event_, &one, sizeof one);
}

broker::client_calls broker_news::calls() {
    return {
        .on_allotment = [this](const broker::allotment& given) { note([&](state& s) { s.given = given, ++s.changes; }); },
        .on_feedback_page = [this](broker::feedback_page* page) { note([&](state& s) { s.page = page; }); },
        .on_lost = [this] { note([](state& s) { s.given.reset(), ++s.changes; }); }};
}

broker_news::state broker_news::take() {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = ::read(event_, &count, sizeof count);
    const std::lock_guard lock(mutex_);
    return now_;
}

void broker_news::wait_for_allotment(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, longest, [&] { return now_.given.has_value(); });
}

leader::leader(const led_run& wanted) : wanted_(wanted) {
    // An ignored SIGCHLD, which programs inherit, would let the system throw away how children ended.
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGCHLD);
    for (const int number : passed_on) {
        sigaddset(&signals_, number);
    }
    sigprocmask(SIG_BLOCK, &signals_, &former_signals_);
    signal_file_ = checked(signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd");
    // Orphans among the command's processes stay below this one.
    checked(prctl(PR_SET_CHILD_SUBREAPER, 1), "prctl");
    checked(sched_getaffinity(0, sizeof all_cores_, &all_cores_), "sched_getaffinity");
}

int leader::lead() {
    // It would count for the broker twice.
    setenv("PARLEY_BROKER", "off", 1);
    command_.emplace(wanted_.command, former_signals_);  // before there is any other thread
    broker::client_options options;
    options.socket = *wanted_.socket;
    options.most = static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&all_cores_)));
    options.weight = wanted_.weight;
    options.is_led = true;
    options.name = wanted_.name;
    const broker::client client(options, news_.calls());
    struct stat there{};
    const bool is_there = stat(wanted_.socket->c_str(), &there) == 0;
    if (is_there) {
        news_.wait_for_allotment(longest_wait);
    }
    follow();
    if (wanted_.verbose && !told_.given) {
        fmt::print(stderr, "parley broker run: {}\n",
                   client.refused().value_or(
                       fmt::format("no broker at {}{}", *wanted_.socket, is_there ? " has answered yet" : "")));
        tell_cores(all_cores_);
    }
    command_->begin();
    while (!ended_) {
        sample_ = std::chrono::nanoseconds(client.sample());
        wait();
        pass_signals_on();
        bury();
        follow();
        look();
    }
    if (is_confined_) {  // what it leaves behind is nobody's program
        confinement_.move_to(all_cores_);
    }
    return *ended_;
}

// Is there anything to look for in the command's processes?
bool leader::looks() const { return told_.page != nullptr || confinement_.wants_to_look_again(); }

void leader::wait() {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_look_ - clock::now()).count();
    std::array<pollfd, 2> both{{{signal_file_, POLLIN, 0}, {news_.event(), POLLIN, 0}}};
    poll(both.data(), both.size(), looks() ? static_cast<int>(std::max<std::int64_t>(0, left)) : -1);
}

void leader::pass_signals_on() {
    signalfd_siginfo info{};
    while (read(signal_file_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        if (info.ssi_signo != SIGCHLD && !reaches_the_command_by_itself(info) &&
            static_cast<pid_t>(info.ssi_pid) != command_->process()) {
            kill(command_->process(), static_cast<int>(info.ssi_signo));
        }
    }
}

void leader::bury() {
    int status = 0;
    rusage usage{};
    for (pid_t dead = 0; (dead = wait4(-1, &status, WNOHANG, &usage)) > 0;) {
        time_of_the_dead_ += time_in(usage);
        if (dead == command_->process()) {
            ended_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
    }
}

void leader::follow() {
    const std::uint64_t changes = told_.changes;
    told_ = news_.take();
    if (told_.changes == changes) {
        return;
    }
    const cpu_set_t cores = told_.given ? set_of(*told_.given) : all_cores_;
    confinement_.move_to(cores);
    is_confined_ = told_.given.has_value();
    if (told_.given && told_.page != nullptr) {
        set_part(told_.page->followed, told_.given->generation);
    }
    if (wanted_.verbose) {
        tell_cores(cores);
    }
}

void leader::look() {
    const auto begin = clock::now();
    if (!looks() || (begin < next_look_ && !ended_)) {
        return;
    }
    const std::vector<seen_process> tree = descendants();
    confinement_.look_again(tree);
    std::uint64_t time = time_of_the_dead_;
    for (const seen_process& process : tree) {
        time += run_time_of(process.id);
    }
    reported_ = std::max(reported_, time);  // who dies meanwhile is missing once
    if (told_.page != nullptr) {
        report(*told_.page);
    }
    const auto end = clock::now();
    next_look_ = end + std::max({least_sample, sample_, part_for_looking * (end - begin)});
}

// Line 0 stands for all of the command's threads.
void leader::report(broker::feedback_page& page) const {
    broker::worker_line& line = page.lines[0];
    parley::sync::write_whole(line.version, [&] {
        const auto state = ended_ ? broker::worker_state::none : broker::worker_state::useful;
        set_part(line.state, static_cast<std::uint32_t>(state));
        set_part(line.since, static_cast<std::uint64_t>(clock::now().time_since_epoch().count()));
        set_part(line.useful, reported_);
        set_part(line.thread, static_cast<std::uint32_t>(command_->process()));
    });
    set_part(page.workers, 1);
}

void leader::tell_cores(const cpu_set_t& cores) const {
    fmt::print(stderr, "parley broker run: {} runs on cores {}\n", wanted_.name, text_of(cores));
}

}  // namespace parley_cli
