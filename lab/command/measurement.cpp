#include "lab/command/measurement.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "lab/command/worker_sums.hpp"

namespace parley_cli {
namespace {

using parley_peers::worker_counts;
using parley_programs::json;

// Without --repeat: enough for a median, but no new pair after this long.
constexpr std::size_t default_pairs = 5;
constexpr std::chrono::seconds enough_time{10};

}  // namespace

measurement::measurement(const run_options& options, unsigned workers)
    : options_(options), workers_(workers), parameters_(options.what->parameters(options.wanted)) {}

void measurement::prepare() {
    const auto keep = [this](std::unique_ptr<parley_programs::job>& as, std::unique_ptr<parley_programs::job> made) {
        const std::lock_guard lock(mutex_);
        as = std::move(made);
        if (interrupted_) {
            throw parley_programs::interrupted{};
        }
    };
    const parley_programs::program& what = *options_.what;
    json known = what.known(parameters_);
    has_known_facts_ = !known.empty();
    check_ = result_check(std::move(known));
    keep(job_, what.make(parameters_, options_.scheduler,
                         {workers_, options_.wanted.seed, {}, options_.profile, options_.tuning}));
    keep(serial_, what.make(parameters_, "serial", {}));
    if (what.make_inlined) {
        keep(inlined_, what.make_inlined(parameters_));
    }
}

unsigned measurement::workers() const {
    const std::lock_guard lock(mutex_);
    return job_ ? job_->workers() : workers_;
}

void measurement::run() {
    prepare();
    const auto start = clock::now();
    do {
        // In turn first and second, so that neither always finds the machine as the other left it.
        run_pair(found_.seconds.size() % 2 == 0);
    } while (worth_another(start));
}

bool measurement::worth_another(clock::time_point start) const {
    const std::size_t pairs = found_.seconds.size();
    return options_.repeat ? pairs < *options_.repeat : pairs < default_pairs && clock::now() - start < enough_time;
}

void measurement::run_pair(bool scheduler_first) {
    if (scheduler_first) {
        run_one(role::scheduler);
    }
    run_one(role::serial);
    if (inlined_) {
        run_one(role::inlined);
    }
    if (!scheduler_first) {
        run_one(role::scheduler);
    }
}

std::string measurement::name_of(role which) const {
    switch (which) {
        case role::serial: return "the serial program";
        case role::inlined: return "the inlined serial program";
        case role::scheduler: break;
    }
    return fmt::format("{} on {} worker{}", options_.scheduler, job_->workers(), job_->workers() == 1 ? "" : "s");
}

void measurement::run_one(role which) {
    parley_programs::job& job = which == role::scheduler ? *job_ : which == role::serial ? *serial_ : *inlined_;
    {
        const std::lock_guard lock(mutex_);
        if (interrupted_) {
            throw parley_programs::interrupted{};
        }
        current_ = &job;
        found_.running = fmt::format("pair {}, {}", found_.seconds.size() + 1, name_of(which));
    }
    const std::vector<worker_counts> before = job.counts();
    parley_programs::timed_result done = job.run();
    const std::lock_guard lock(mutex_);
    current_ = nullptr;
    found_.running.clear();
    if (const std::string wrong = check_.complaint(name_of(which), done.result); !wrong.empty() && found_.problem.empty()) {
        found_.problem = wrong;
    }
    if (which == role::scheduler) {
        found_.seconds.push_back(done.seconds);
        found_.counts.push_back(difference(job.counts(), before));
        found_.times.push_back(std::move(done.times));
        found_.tuning = job.tuning();
    } else {
        (which == role::serial ? found_.serial_seconds : found_.inlined_seconds).push_back(done.seconds);
    }
    if (which == role::scheduler || found_.result.is_null()) {
        found_.result = std::move(done.result);
    }
}

void measurement::interrupt() {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    if (current_ != nullptr) {
        current_->cancel();
    }
}

measured measurement::look() const {
    const std::lock_guard lock(mutex_);
    measured seen = found_;
    if (current_ != nullptr) {
        seen.so_far = current_->so_far();
    }
    return seen;
}

void measurement::dump(std::FILE* out) const {
    const std::lock_guard lock(mutex_);
    if (job_) job_->dump(out);
}

}  // namespace parley_cli
