#include "command/hand_over.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

// Empty if it is not there.
std::filesystem::path beside_this(const char* program) {
    std::error_code trouble;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", trouble);
    const std::filesystem::path there = self.parent_path() / program;
    return trouble || access(there.c_str(), X_OK) != 0 ? std::filesystem::path() : there;
}

}  // namespace

bool is_beside(const char* program) { return !beside_this(program).empty(); }

int hand_over(const char* verb, const char* program, const char* package, arguments args) {
    const std::filesystem::path there = beside_this(program);
    if (there.empty()) {
        throw usage_error(
            fmt::format("parley {}: there is no {} beside this program: it comes with {}", verb, program, package));
    }
    std::vector<char*> words{
        program_invocation_name};  // lists of processes, and the broker's, show what the user has called
    for (const char* word : args) {
        words.push_back(const_cast<char*>(word));  // execv() leaves them as they are
    }
    words.push_back(nullptr);
    execv(there.c_str(), words.data());
    throw std::system_error(errno, std::generic_category(), there.string());
}

}  // namespace parley_cli
