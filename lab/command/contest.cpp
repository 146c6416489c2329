#include "lab/command/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <thread>
#include <utility>

#include "lab/command/worker_sums.hpp"

namespace parley_cli {
namespace {

using parley_programs::job;

constexpr unsigned default_rounds = 15;
constexpr std::chrono::seconds time_per_worker_count{12};

double processor_seconds() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

// Until nobody has used a processor for 2 ms; half a second at most.
void wait_for_rest() {
    constexpr std::chrono::milliseconds look{2};
    for (int i = 0; i < 250; ++i) {
        const double before = processor_seconds();
        std::this_thread::sleep_for(look);
        if (processor_seconds() - before < 0.0004) {
            return;
        }
    }
}

contestant serial_form(std::unique_ptr<job> made) {
    contestant c;
    c.scheduler = "serial";
    c.job = std::move(made);
    return c;
}

}  // namespace

contest::contest(const parley_programs::program& what, const parley_programs::request& wanted,
                 const std::vector<std::string>& schedulers, const std::vector<unsigned>& workers,
                 const parley_peers::tuning_choices& tuning)
    : what_(what),
      parameters_(what.parameters(wanted)),
      schedulers_(schedulers),
      workers_(workers),
      seed_(wanted.seed),
      tuning_(tuning) {}

void contest::prepare() {
    check_ = result_check(what_.known(parameters_));
    require_uninterrupted();
    serial_ = serial_form(what_.make(parameters_, "serial", {}));
    if (what_.make_inlined != nullptr) {
        inlined_form_ = serial_form(what_.make_inlined(parameters_));
    }
    for (const unsigned n : workers_) {
        for (const std::string& scheduler : schedulers_) {
            if (scheduler == "serial") {
                continue;  // it is always there
            }
            require_uninterrupted();
            contestant c;
            c.scheduler = scheduler;
            c.workers = n;
            c.job = what_.make(parameters_, scheduler, {n, seed_, {}, false, parley_peers::tuning_of(scheduler, tuning_)});
            all_.push_back(std::move(c));
        }
    }
}

void contest::run(std::optional<unsigned> rounds, std::optional<unsigned> seconds) {
    prepare();
    const bool is_limited = seconds || !rounds;
    const std::chrono::seconds limit =
        seconds ? std::chrono::seconds(*seconds) : time_per_worker_count * static_cast<int>(workers_.size());
    const auto start = clock::now();
    for (unsigned round = 0; round < rounds.value_or(default_rounds); ++round) {
        if (is_limited && round >= least_rounds && clock::now() - start > limit) {
            return;
        }
        const std::vector<contestant*> order = order_of(round);
        if (round > 0) {
            move_data(order);
        }
        for (contestant* const c : order) {
            c->seconds.push_back(run_one(*c));
        }
    }
}

// Williams, "Experimental designs balanced for the estimation of residual effects of treatments" (1949).
std::vector<contestant*> contest::order_of(unsigned round) {
    std::vector<contestant*> all{&serial_};
    for (contestant& c : all_) {
        all.push_back(&c);
    }
    if (inlined_form_.job) {
        all.push_back(&inlined_form_);
    }
    const std::size_t n = all.size();
    std::vector<contestant*> order;
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t first_round = k % 2 == 1 ? (k + 1) / 2 : n - k / 2;  // 0, 1, n - 1, 2, n - 2 ...
        order.push_back(all[(first_round + round) % n]);
    }
    if (n % 2 == 1 && round / n % 2 == 1) {
        std::reverse(order.begin(), order.end());
    }
    return order;
}

void contest::move_data(const std::vector<contestant*>& order) {
    for (contestant* const c : order) {
        c->job->free_data();
    }
    for (contestant* const c : order) {
        require_uninterrupted();
        c->job->make_data();
    }
}

void contest::require_uninterrupted() const {
    const std::lock_guard lock(mutex_);
    if (interrupted_) {
        throw parley_programs::interrupted{};
    }
}

double contest::run_one(contestant& c) {
    const std::string who = fmt::format("{} on {} worker{}", c.scheduler, c.workers, c.workers == 1 ? "" : "s");
    wait_for_rest();
    begin(c.job.get(), fmt::format("round {}, {}", c.seconds.size() + 1, who));
    const auto before = c.job->counts();
    parley_programs::timed_result done;
    try {
        done = c.job->run();
    } catch (...) {
        end();
        throw;
    }
    end();
    c.counts.push_back(difference(c.job->counts(), before));
    if (const std::string wrong = check_.complaint(who, done.result); !wrong.empty() && c.problem.empty()) {
        c.problem = wrong;
    }
    c.result = std::move(done.result);
    c.tuning = c.job->tuning();
    return done.seconds;
}

void contest::begin(job* job, std::string words) {
    const std::lock_guard lock(mutex_);
    current_ = job;
    now_ = std::move(words);
    if (interrupted_) {
        current_ = nullptr;
        throw parley_programs::interrupted{};
    }
}

void contest::end() {
    const std::lock_guard lock(mutex_);
    current_ = nullptr;
}

void contest::interrupt() {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    if (current_ != nullptr) {
        current_->cancel();
    }
}

std::string contest::now() const {
    const std::lock_guard lock(mutex_);
    return now_;
}

std::unique_lock<std::mutex> contest::hold() const {
    std::unique_lock lock(mutex_);
    if (current_ == nullptr) {
        lock.unlock();
    }
    return lock;
}

void contest::dump(std::FILE* out) const {
    const std::lock_guard lock(mutex_);
    if (current_ != nullptr) {
        current_->dump(out);
    }
}

}  // namespace parley_cli
