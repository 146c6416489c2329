// What the tests of timelines share: where the file is, what is in it. A process has one such file.
#pragma once

#include "tests/parley/api/support.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace timeline_test {

// It is there until the process ends, whichever tests run and how often: the process writes no other one. A child that a
// death test starts is told its parent's by a variable.
inline const std::filesystem::path& file() {
    struct of_process {
        const char* const given = std::getenv("TIMELINE_OF_TEST");
        const pid_t owner = ::getpid();
        const std::filesystem::path path = given != nullptr ? std::filesystem::path(given)
                                                            : std::filesystem::temp_directory_path() /
                                                                  ("parley_timeline_" + std::to_string(owner) + ".json");
        ~of_process() {
            std::error_code ignored;
            if (given == nullptr && owner == ::getpid()) std::filesystem::remove(path, ignored);
        }
    };
    static const of_process here;
    return here.path;
}

inline parley::options traced(unsigned workers, std::size_t events = 100'000) {
    parley::options o;
    o.workers = workers;
    o.trace = file();
    o.trace_events = events;
    return o;
}

struct line {
    std::string text;
    [[nodiscard]] std::string value(const std::string& key) const {
        const auto at = text.find("\"" + key + "\":");
        if (at == std::string::npos) return "";
        const auto begin = at + key.size() + 3;
        return text[begin] == '"' ? text.substr(begin + 1, text.find('"', begin + 1) - begin - 1)
                                  : text.substr(begin, text.find_first_of(",}", begin) - begin);
    }
    [[nodiscard]] bool is(const char* phase, const char* name = "") const {
        return value("ph") == phase && (*name == '\0' || text.find(std::string("\"") + name + "\"") != std::string::npos);
    }
};

// Those of the recording that was written last.
inline std::vector<line> lines_of(const std::filesystem::path& from) {
    std::vector<line> all;
    std::ifstream in(from);
    for (std::string text; std::getline(in, text);) {
        if (!text.starts_with("{")) continue;
        if (!all.empty() && line{text}.value("pid") != all.front().value("pid")) all.clear();
        all.push_back({text});
    }
    return all;
}

inline std::size_t count(const std::vector<line>& lines, const char* phase, const char* name = "") {
    std::size_t n = 0;
    for (const line& l : lines)
        if (l.is(phase, name)) ++n;
    return n;
}

class Timeline : public testing::Test {
protected:
    static void SetUpTestSuite() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

// In a process of its own, by a death test, whose file is empty before.
class TimelineOfItsOwn : public Timeline {
protected:
    TimelineOfItsOwn() {
        if (std::getenv("TIMELINE_OF_TEST") == nullptr) {
            ::setenv("TIMELINE_OF_TEST", (file().string() + ".its_own").c_str(), 1);
            is_parent_ = true;
        }
    }
    ~TimelineOfItsOwn() override {
        if (!is_parent_) return;
        std::filesystem::remove(where());
        ::unsetenv("TIMELINE_OF_TEST");
    }
    static std::string where() { return std::getenv("TIMELINE_OF_TEST"); }

    // The end of such a process.
    [[noreturn]] static void exit_with_what_was_found() { std::exit(HasFailure() ? 1 : 0); }

private:
    bool is_parent_ = false;
};

}  // namespace timeline_test
