// `parley cluster`: hands over to the program beside this one that is linked with MPI.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "command/usage.hpp"
#include "command/verbs.hpp"

namespace parley_cli {

int cluster_verb(arguments args) {
    std::error_code trouble;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", trouble);
    const std::filesystem::path there = self.parent_path() / "parley-cluster";
    if (trouble || access(there.c_str(), X_OK) != 0)
        throw usage_error("parley cluster: this build has no MPI: it needs libopenmpi-dev or libmpich-dev");
    std::vector<char*> words;
    std::string name = there.string();
    words.push_back(name.data());
    for (const char* word : args) words.push_back(const_cast<char*>(word));  // execv() leaves them as they are
    words.push_back(nullptr);
    execv(name.c_str(), words.data());
    throw std::system_error(errno, std::generic_category(), name);
}

}  // namespace parley_cli
