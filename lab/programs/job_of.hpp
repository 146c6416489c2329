// A kernel on a scheduler is a job. A kernel is a template over the scheduler with
//   a constructor from the program's parameters and the scheduler's pool,
//   void prepare(), if it needs one: called before each repetition, not timed,
//   result operator()(), called on a worker, which is what gets timed,
//   json describe(result), not timed, and json so_far(), which other threads may call meanwhile.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lab/peers/list.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// What went by between `before` and `after`.
inline std::vector<parley_peers::worker_times> difference(std::vector<parley_peers::worker_times> after,
                                                          const std::vector<parley_peers::worker_times>& before) {
    using parley_peers::worker_times;
    for (std::size_t i = 0; i < after.size(); ++i) {
        for (double worker_times::* part : {&worker_times::running, &worker_times::queueing, &worker_times::moving_tasks,
                                            &worker_times::moving_requests, &worker_times::idle}) {
            after[i].*part -= before[i].*part;
        }
    }
    return after;
}

template <class Scheduler, template <class> class Kernel>
class job_of : public job {
public:
    job_of(const json& parameters, const parley_peers::setup& setup)
        : pool_(setup), parameters_(parameters), tuning_(setup.tuning) {
        make_data();
    }

    timed_result run() override {
        using clock = std::chrono::steady_clock;
        if constexpr (requires { kernel_->prepare(); }) {
            kernel_->prepare();
        }
        try {
            std::vector<parley_peers::worker_times> times;
            const auto [elapsed, result] = pool_.run([this, &times] {
                const auto before = times_now();
                const auto start = clock::now();
                auto found = (*kernel_)();
                const auto took = clock::now() - start;
                times = difference(times_now(), before);
                return std::pair(took, std::move(found));
            });
            return {std::chrono::duration<double>(elapsed).count(), kernel_->describe(result), std::move(times)};
        } catch (const typename Scheduler::cancelled&) {
            throw interrupted{};
        }
    }

    void free_data() final { kernel_.reset(); }
    void make_data() final { kernel_.emplace(parameters_, pool_); }

    json so_far() override { return kernel_->so_far(); }
    void cancel() override { pool_.cancel(); }
    json tuning() const override { return tuning_.empty() ? json::object() : json(tuning_); }
    unsigned workers() const override { return pool_.workers(); }
    std::vector<parley_peers::worker_counts> counts() const override { return pool_.counts(); }
    void dump(std::FILE* out) const override { pool_.dump(out); }

protected:
    typename Scheduler::pool pool_;

private:
    std::vector<parley_peers::worker_times> times_now() const {
        if constexpr (requires { pool_.times(); }) {
            return pool_.times();
        } else {
            return {};
        }
    }

    json parameters_;
    parley_peers::tuning_choices tuning_;
    std::optional<Kernel<Scheduler>> kernel_;
};

template <class List>
struct scheduler_list;
template <class... Schedulers>
struct scheduler_list<parley_peers::list<Schedulers...>> {
    static std::vector<std::string> names() { return {std::string(Schedulers::name)...}; }

    // Null if it is none of these.
    template <template <class> class Kernel, template <class, template <class> class> class Job = job_of>
    static std::unique_ptr<job> find(const json& parameters, std::string_view scheduler, const parley_peers::setup& setup) {
        std::unique_ptr<job> made;
        // Not used if the list is empty.
        [[maybe_unused]] const auto try_one = [&]<class S>(std::type_identity<S>) {
            if (S::name == scheduler) {
                made = std::make_unique<Job<S, Kernel>>(parameters, setup);
            }
        };
        (try_one(std::type_identity<Schedulers>{}), ...);
        return made;
    }

    template <template <class> class Kernel, template <class, template <class> class> class Job = job_of>
    static std::unique_ptr<job> make(const json& parameters, std::string_view scheduler, const parley_peers::setup& setup) {
        std::unique_ptr<job> made = find<Kernel, Job>(parameters, scheduler, setup);
        if (!made) {
            throw std::invalid_argument("no scheduler '" + std::string(scheduler) + "'");
        }
        return made;
    }
};

using schedulers = scheduler_list<parley_peers::built>;
using schedulers_in_rust = scheduler_list<parley_peers::built_in_rust>;
using schedulers_of_futures = scheduler_list<parley_peers::built_with_futures>;
using schedulers_of_phases = scheduler_list<parley_peers::built_for_phases>;
using schedulers_of_streams = scheduler_list<parley_peers::built_for_streams>;

// A program's make() is make_job<its kernel>,
template <template <class> class Kernel>
std::unique_ptr<job> make_job(const json& parameters, std::string_view scheduler, const parley_peers::setup& setup) {
    return schedulers::make<Kernel>(parameters, scheduler, setup);
}

// or this one, if its kernel has a form in Rust: for schedulers that are parley_peers::in_rust, it calls
// their members instead of the template that is the program.
template <template <class> class Kernel>
std::unique_ptr<job> make_job_also_in_rust(const json& parameters, std::string_view scheduler,
                                           const parley_peers::setup& setup) {
    std::unique_ptr<job> made = schedulers_in_rust::find<Kernel>(parameters, scheduler, setup);
    return made ? std::move(made) : make_job<Kernel>(parameters, scheduler, setup);
}

// For programs that are streams.
template <template <class> class Kernel>
std::unique_ptr<job> make_stream_job(const json& parameters, std::string_view scheduler, const parley_peers::setup& setup) {
    return schedulers_of_streams::make<Kernel>(parameters, scheduler, setup);
}

// For programs that fork, or spawn and await: those two with the schedulers of other futures.
template <template <class> class Kernel>
std::unique_ptr<job> make_forking_job(const json& parameters, std::string_view scheduler, const parley_peers::setup& setup) {
    std::unique_ptr<job> made = schedulers_of_futures::find<Kernel>(parameters, scheduler, setup);
    return made ? std::move(made) : make_job<Kernel>(parameters, scheduler, setup);
}
template <template <class> class Kernel>
std::unique_ptr<job> make_forking_job_also_in_rust(const json& parameters, std::string_view scheduler,
                                                   const parley_peers::setup& setup) {
    std::unique_ptr<job> made = schedulers_of_futures::find<Kernel>(parameters, scheduler, setup);
    return made ? std::move(made) : make_job_also_in_rust<Kernel>(parameters, scheduler, setup);
}

}  // namespace parley_programs::inline v0
