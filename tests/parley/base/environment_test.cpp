// The environment is not believed by a program that runs with the rights of somebody else.
#include <parley/detail/base/environment.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr const char* name = "PARLEY_TEST_VALUE";

enum : int { read_it = 3, read_nothing = 4, believed_it = 5 };

// What the programs do that the tests below start; by their exit status they say what they saw.
TEST(DISABLED_Environment, IsReadByAnotherProgram) {
    if (parley::base::environment_variable(name) == nullptr) std::_Exit(read_nothing);
    std::_Exit(getauxval(AT_SECURE) == 0 ? read_it : believed_it);
}

int status_of(const std::string& program) {
    const pid_t child = fork();
    if (child == 0) {
        setenv(name, "a value", 1);
        execl(program.c_str(), program.c_str(), "--gtest_also_run_disabled_tests", "--gtest_filter=DISABLED_Environment.*",
              static_cast<char*>(nullptr));
        std::_Exit(126);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Environment, OfAnyProgramIsRead) { EXPECT_EQ(status_of("/proc/self/exe"), read_it); }

TEST(Environment, OfASetuidProgramIsNot) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can make a program that runs as somebody else";
    const std::filesystem::path program =
        std::filesystem::temp_directory_path() / ("parley-environment-" + std::to_string(getpid()));
    std::filesystem::copy_file("/proc/self/exe", program);
    constexpr uid_t nobody = 65534;
    ASSERT_EQ(chown(program.c_str(), nobody, nobody), 0);
    ASSERT_EQ(chmod(program.c_str(), S_ISUID | 0755), 0);
    const int status = status_of(program);
    std::filesystem::remove(program);
    if (status == read_it) GTEST_SKIP() << "the file system of " << program << " lends no rights";
    EXPECT_EQ(status, read_nothing);
}

}  // namespace
