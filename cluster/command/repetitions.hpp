// All repetitions of a program on one rank, which other threads may look at while they run.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "cluster/command/options.hpp"
#include "cluster/command/report.hpp"

namespace parley_cli {

class repetitions {
public:
    explicit repetitions(const cluster_options& o) : options_(o), begin_(clock::now()) {}

    // Collective.
    void run(parley::cluster::group&);

    // What is complete.
    [[nodiscard]] cluster_found found() const;
    // In one line: which repetition runs, for how long all of them have, what this rank has done in it, and what it
    // waits for.
    [[nodiscard]] std::string now() const;

private:
    using clock = std::chrono::steady_clock;

    const cluster_options& options_;
    const clock::time_point begin_;
    mutable std::mutex lock_;
    cluster_found found_;
    const parley::cluster::group* runs_on_ = nullptr;  // while it does
};

}  // namespace parley_cli
