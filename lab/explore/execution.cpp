#include <lab/explore/execution.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace parley::explore {

struct executions::shared {
    void (*run)();
    randomness random;
    std::uint32_t most_steps;
    unsigned look_us;
    std::size_t deviations;
    std::array<deviation, most_steps_of_log> schedule;
    report result;
};

namespace {

// An execution takes milliseconds. One that is in no step for so long is in a loop of its own.
constexpr unsigned longest_in_seconds = 60;

[[noreturn]] void throw_system_error(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// Handing the turn on is fastest between threads of one processor.
void use_one_processor() {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    (void)sched_setaffinity(0, sizeof one, &one);
}

template <class T>
bool send(int to, const T& value) noexcept {
    return write(to, &value, sizeof value) == static_cast<ssize_t>(sizeof value);
}
template <class T>
bool receive(int from, T& value) noexcept {
    ssize_t got = 0;
    do got = read(from, &value, sizeof value);
    while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(sizeof value);
}

int wait_for_child(pid_t child) noexcept {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

}  // namespace

executions::executions() : errors_(memfd_create("said", 0)) {
    std::array<int, 2> orders{}, answers{};
    if (errors_ < 0 || pipe(orders.data()) != 0 || pipe(answers.data()) != 0) throw_system_error("memfd_create or pipe");
    void* const memory = mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw_system_error("mmap");
    shared_ = static_cast<shared*>(memory);
    parent_of_all_ = fork();
    if (parent_of_all_ < 0) throw_system_error("fork");
    if (parent_of_all_ == 0) {
        (void)close(orders[1]);
        (void)close(answers[0]);
        make_children(orders[0], answers[1]);
    }
    (void)close(orders[0]);
    (void)close(answers[1]);
    orders_ = orders[1];
    answers_ = answers[0];
}

executions::~executions() {
    (void)close(orders_);  // so it ends
    (void)wait_for_child(parent_of_all_);
    (void)close(answers_);
    (void)close(errors_);
    (void)munmap(shared_, sizeof(shared));
}

void executions::make_children(int orders, int answers) noexcept {
    char order = 0;
    while (receive(orders, order)) {
        const pid_t child = fork();
        if (child == 0) {
            (void)dup2(errors_, STDERR_FILENO);
            use_one_processor();
            (void)alarm(longest_in_seconds);
            execution_settings how{
                .deviations = {}, .random = shared_->random, .most_steps = shared_->most_steps, .look_us = shared_->look_us};
            how.deviations.assign(shared_->schedule.begin(),
                                  shared_->schedule.begin() + static_cast<std::ptrdiff_t>(shared_->deviations));
            begin_execution(shared_->result, how);
            shared_->run();
            end_execution(verdict::fine, "");
        }
        if (!send(answers, child < 0 ? -1 : wait_for_child(child))) break;
    }
    _exit(0);
}

const report& executions::run(const scene& what, const execution_settings& how) {
    if (how.deviations.size() > shared_->schedule.size()) throw std::invalid_argument("the schedule is too long");
    report& result = shared_->result;
    result.how = verdict::none;
    result.steps = 0;
    result.text[0] = 0;
    shared_->run = what.run;
    shared_->random = how.random;
    shared_->most_steps = std::min(how.most_steps, most_steps_of_log);
    shared_->look_us = how.look_us;
    shared_->deviations = how.deviations.size();
    std::copy(how.deviations.begin(), how.deviations.end(), shared_->schedule.begin());
    (void)ftruncate(errors_, 0);
    (void)lseek(errors_, 0, SEEK_SET);
    int status = 0;
    if (!send(orders_, 'o') || !receive(answers_, status) || status == -1)
        throw std::runtime_error("no process for an execution");
    if (result.how == verdict::none) {
        const char* const how_it_ended = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "an exit before its end";
        std::snprintf(result.text.data(), result.text.size(), "the process ended: %s", how_it_ended);
    }
    return result;
}

std::string executions::said() const {
    std::string text(static_cast<std::size_t>(lseek(errors_, 0, SEEK_END)), '\0');
    const ssize_t got = pread(errors_, text.data(), text.size(), 0);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
}

}  // namespace parley::explore
