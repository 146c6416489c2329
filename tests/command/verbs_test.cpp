// `parley` without any of the programs that it calls.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "tests/running_command.hpp"

namespace {

// The command alone, as from a package that has only it.
TEST(Verbs, AVerbWhoseProgramIsNotThereNamesItsPackage) {
    const parley_tests::scratch_folder folder;
    const std::string alone = folder.file("parley");
    std::filesystem::copy_file(PARLEY_COMMAND, alone);
    for (const auto& [verb, package] : std::map<std::string, std::string>{{"run fib", "parley-lab"},
                                                                          {"bench", "parley-lab"},
                                                                          {"sim spc", "parley-lab"},
                                                                          {"broker", "parley-broker"},
                                                                          {"top --once", "parley-broker"},
                                                                          {"cluster uts", "parley-cluster"}}) {
        const std::string errors = folder.file("errors");
        const int status = std::system((alone + " " + verb + " 2>" + errors).c_str());
        EXPECT_EQ(WEXITSTATUS(status), 2) << verb;
        std::ifstream in(errors);
        std::string line, more;
        std::getline(in, line);
        EXPECT_NE(line.find("package " + package), std::string::npos) << line;
        EXPECT_FALSE(std::getline(in, more)) << more;
    }
}

TEST(Verbs, InfoNeedsNoOther) {
    const parley_tests::scratch_folder folder;
    const std::string alone = folder.file("parley");
    std::filesystem::copy_file(PARLEY_COMMAND, alone);
    const std::string said = folder.file("said");
    ASSERT_EQ(std::system(("PARLEY_WORKERS=3 " + alone + " info >" + said).c_str()), 0);
    const std::string text = parley_tests::read(said);
    for (const char* part : {"commit", "compiler", "hwloc", "machine", "affinity", "workers   3", "PARLEY_WORKERS=3"}) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    }
    EXPECT_EQ(text.find("runs on"), std::string::npos) << text;
}

}  // namespace
