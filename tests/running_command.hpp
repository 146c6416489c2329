// Runs the built command as a shell would and keeps what it said.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace parley_tests {

struct said {
    int status = -1;  // exit status, or 128 + the signal that killed it
    std::string out;
    std::string err;
};

// A folder of its own for each test, removed with all that is in it.
class scratch_folder {
public:
    scratch_folder();
    ~scratch_folder();
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
    [[nodiscard]] std::vector<std::string> names() const;

private:
    std::string path_;
};

// The command while it runs. PARLEY_* variables of the tests' environment do not reach it; those
// given, as "NAME=value", do.
class running_command {
public:
    explicit running_command(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});
    ~running_command();
    running_command(const running_command&) = delete;
    running_command& operator=(const running_command&) = delete;

    void signal(int number) const;

    // Waits until it has run for as long; false if it ended before.
    [[nodiscard]] bool still_runs_after(std::chrono::milliseconds time) const;

    [[nodiscard]] std::string err_so_far() const;

    // Waits for its end.
    [[nodiscard]] said finish();

private:
    scratch_folder folder_;
    int process_ = -1;
};

[[nodiscard]] said run(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});

[[nodiscard]] std::string read(const std::string& file);

}  // namespace parley_tests
