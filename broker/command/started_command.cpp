#include "broker/command/started_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

using two_ends = std::array<int, 2>;

two_ends make_pipe() {
    two_ends ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    return ends;
}

// As execvp() wants them.
std::vector<char*> words_of(std::span<const char* const> words) {
    std::vector<char*> all;
    for (const char* word : words) {
        all.push_back(const_cast<char*>(word));
    }
    all.push_back(nullptr);
    return all;
}

[[noreturn]] void complain(const char* name, int error) {
    throw usage_error(fmt::format("parley broker run: cannot run {}: {}", shown(name), std::strerror(error)));
}

// Reads until somebody writes or nobody can any more.
template <class Value>
bool read_from(int file, Value& value) {
    for (;;) {
        const ssize_t got = read(file, &value, sizeof value);
        if (got >= 0 || errno != EINTR) {
            return got == static_cast<ssize_t>(sizeof value);
        }
    }
}

template <class Value>
void write_to(int file, const Value& value) {
    [[maybe_unused]] const ssize_t written = write(file, &value, sizeof value);
}

}  // namespace

started_command::started_command(std::span<const char* const> words, const sigset_t& signals) : name_(words.front()) {
    const two_ends go = make_pipe();
    const two_ends trouble = make_pipe();
    const std::vector<char*> argv = words_of(words);
    process_ = fork();
    if (process_ < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (process_ == 0) {
        close(go[1]);
        char byte = 0;
        if (!read_from(go[0], byte)) {
            _exit(127);
        }
        sigprocmask(SIG_SETMASK, &signals, nullptr);
        execvp(argv.front(), argv.data());
        write_to(trouble[1], errno);
        _exit(127);
    }
    close(go[0]);
    close(trouble[1]);
    go_ = go[1];
    trouble_ = trouble[0];
}

started_command::~started_command() {
    close(trouble_);
    if (go_ >= 0) {
        close(go_);
        waitpid(process_, nullptr, 0);
    }
}

void started_command::begin() {
    write_to(go_, 'g');
    close(std::exchange(go_, -1));
    int error = 0;
    if (read_from(trouble_, error)) {
        waitpid(process_, nullptr, 0);
        complain(name_, error);
    }
}

void become(std::span<const char* const> words) {
    const std::vector<char*> argv = words_of(words);
    execvp(argv.front(), argv.data());
    complain(words.front(), errno);
}

}  // namespace parley_cli
