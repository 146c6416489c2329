// Where rank 0 writes what was found. All files are opened before anything runs.
#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "cluster/command/options.hpp"
#include "cluster/command/report.hpp"
#include "command/json_lines.hpp"

namespace parley_cli {

class cluster_writing {
public:
    // Throws usage_error for a file that cannot be written.
    explicit cluster_writing(const cluster_options&);

    // Returns the exit status. Throws std::runtime_error and std::system_error where the system refuses.
    int finish(const cluster_found&);
    // A line that says that it is not verified, in FILE.partial; `now` says what was going on.
    int interrupted(const cluster_found&, const std::string& now);

private:
    const cluster_options& options_;
    std::unique_ptr<json_lines> lines_;
    std::ofstream trace_;
    std::ofstream shares_;
};

}  // namespace parley_cli
