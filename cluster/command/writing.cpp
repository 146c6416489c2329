#include "cluster/command/writing.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <string_view>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

void open(std::ofstream& file, const std::string& name) {
    if (name.empty()) return;
    file.open(name);
    if (!file) throw usage_error(fmt::format("parley cluster: {} cannot be written", shown(name)));
}

void write(std::ofstream& file, std::string_view text, const std::string& name) {
    if (!file.is_open()) return;
    if (!(file << text).flush()) throw std::runtime_error(fmt::format("{} cannot be written", shown(name)));
}

}  // namespace

cluster_writing::cluster_writing(const cluster_options& o) : options_(o) {
    if (!o.json_file.empty()) lines_ = std::make_unique<json_lines>(o.json_file);
    open(trace_, o.trace_file);
    open(shares_, o.shares_file);
}

int cluster_writing::finish(const cluster_found& found) {
    if (lines_) {
        lines_->append(cluster_line(options_, found).dump());
        lines_->finish();
    }
    if (!found.runs.empty()) {
        write(trace_, cluster_trace(found) + '\n', options_.trace_file);
        write(shares_, cluster_shares(found), options_.shares_file);
    }
    if (options_.json_file != "-") fmt::print("{}", cluster_report(options_, found));
    if (found.problem.empty()) return exit_status::succeeded;
    fmt::print(stderr, "parley: wrong result: {}\n", found.problem);
    return exit_status::failed;
}

int cluster_writing::interrupted(const cluster_found& found, const std::string& now) {
    (void)std::fputs(("\ninterrupted in " + now + "\n").c_str(), stderr);
    if (lines_) {
        auto line = cluster_line(options_, found);
        line["verified"] = false;
        lines_->append(line.dump());
    }
    return exit_status::was_interrupted;
}

}  // namespace parley_cli
