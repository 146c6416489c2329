#include "lab/command/plot.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <parley_plot_script.hpp>
#include <parley_suite_plot_script.hpp>
#include <parley_sweep_plot_script.hpp>
#include <stdexcept>
#include <system_error>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

// The one that the user's PATH has may be another than that of the system's packages.
constexpr std::array interpreters{"python3", "/usr/bin/python3"};

// The script's exit status; negative if there is no such interpreter.
int run_script(const char* python, const char* script, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {python, "-c", script});
    std::vector<char*> argv;
    for (std::string& a : arguments) {
        argv.push_back(a.data());
    }
    argv.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawnp(&child, python, nullptr, nullptr, argv.data(), environ) != 0) {
        return -1;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// The first that can draw; null if none can.
const char* find_interpreter() {
    const auto* const found = std::find_if(interpreters.begin(), interpreters.end(),
                                           [](auto python) { return run_script(python, plot_script, {"--check"}) == 0; });
    return found == interpreters.end() ? nullptr : *found;
}

}  // namespace

void require_plotting(const std::string& command, const std::string& folder) {
    std::error_code trouble;
    std::filesystem::create_directories(folder, trouble);
    if (!std::filesystem::is_directory(folder) || access(folder.c_str(), W_OK | X_OK) != 0) {
        const std::string why = trouble ? trouble.message() : std::strerror(errno);
        throw usage_error(
            fmt::format("{}: --plot {}: cannot write there ({}); wants a folder", command, shown(folder), why));
    }
    if (find_interpreter() == nullptr) {
        throw usage_error(command + ": --plot wants python3 with matplotlib: the package python3-matplotlib");
    }
}

drawing speedups() { return {plot_script, "speedup"}; }

drawing deviations(const std::string& suite) { return {suite_plot_script, suite}; }

drawing sweeps() { return {sweep_plot_script, "sweep"}; }

void require_drawable(const std::string& command, const drawing& what, const std::string& folder) {
    for (const char* kind : {".jsonl", ".svg", ".png"}) {
        const std::string file = folder + "/" + what.name + kind;
        std::error_code ignored;
        const auto found = std::filesystem::status(file, ignored);
        if (!std::filesystem::exists(found)) {
            continue;
        }
        const bool is_file = std::filesystem::is_regular_file(found);
        if (!is_file || access(file.c_str(), W_OK) != 0) {
            const std::string why = is_file ? std::strerror(errno) : "it is no file";
            throw usage_error(fmt::format("{}: --plot: {}: cannot write it ({}); wants a folder where it may be written",
                                          command, shown(file), why));
        }
    }
}

void plot(const drawing& what, const std::vector<std::string>& lines, const std::string& folder) {
    const std::string data = folder + "/" + what.name + ".jsonl";
    {
        std::ofstream file(data);
        for (const std::string& line : lines) {
            file << line << '\n';
        }
        file.flush();
        if (!file) {
            throw std::runtime_error("cannot write " + data);
        }
    }
    if (run_script(find_interpreter(), what.script, {data, folder}) != 0) {
        throw std::runtime_error("matplotlib could not draw " + data);
    }
}

}  // namespace parley_cli
