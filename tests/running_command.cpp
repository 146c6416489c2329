#include "tests/running_command.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <thread>

namespace parley_tests {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
    std::vector<char*> pointers;
    for (std::string& s : strings) {
        pointers.push_back(s.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::string>& more) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        if (!std::string_view(*entry).starts_with("PARLEY_")) {
            all.emplace_back(*entry);
        }
    }
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

void redirect(const std::string& file, int descriptor) {
    const int to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(to, descriptor);
}

}  // namespace

scratch_folder::scratch_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "parley-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
}

scratch_folder::~scratch_folder() { std::filesystem::remove_all(path_); }

std::vector<std::string> scratch_folder::names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

running_command::running_command(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
    std::vector<std::string> words{PARLEY_COMMAND};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables = environment_with(environment);
    const std::vector<char*> argv = pointers_to(words);
    const std::vector<char*> envp = pointers_to(variables);
    const std::string out = folder_.file("out");
    const std::string err = folder_.file("err");
    process_ = fork();
    if (process_ == 0) {
        redirect(out, STDOUT_FILENO);
        redirect(err, STDERR_FILENO);
        execve(argv.front(), argv.data(), envp.data());
        _exit(127);
    }
}

running_command::~running_command() {
    if (process_ > 0) {
        signal(SIGKILL);
        waitpid(process_, nullptr, 0);
    }
}

void running_command::signal(int number) const {
    if (process_ > 0) kill(process_, number);  // -1, after finish(), would be everybody
}

bool running_command::still_runs_after(std::chrono::milliseconds time) const {
    std::this_thread::sleep_for(time);
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid == 0;
}

std::string running_command::err_so_far() const { return read(folder_.file("err")); }

said running_command::finish() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(folder_.file("out")),
            read(folder_.file("err"))};
}

said run(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
    return running_command(arguments, environment).finish();
}

std::string read(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace parley_tests
