// Parley behind the facade of scheduler.hpp. Where the library is compiled with the papers' machine, this is that one:
// `parley-papers` to the others (lab/programs/program.hpp).
#pragma once

#include <parley/parley.hpp>

#include <array>
#include <functional>
#include <utility>

#include "lab/peers/scheduler.hpp"
#include "lab/peers/tuning.hpp"

namespace parley_peers::inline v0 {

// What each worker of a runtime has counted.
[[nodiscard]] inline std::vector<worker_counts> counts_of(const ::parley::runtime& rt) {
    std::vector<worker_counts> counts;
    for (const auto& c : rt.counters()) {
        counts.push_back({c.tasks, c.steals, c.failed, c.messages, c.splits, c.sleeps, c.wakes, c.interrupts});
    }
    return counts;
}

struct parley {
    static constexpr std::string_view name = "parley";
    static constexpr std::array<std::string_view, 3> splits{"half", "guided", "adaptive"};

    using cancelled = ::parley::cancelled;

    template <class T>
    class local;

    class pool {
    public:
        explicit pool(const setup& wanted) : runtime_(options_of(wanted), tuning_of(wanted)) {}

        template <class F>
        decltype(auto) run(F&& work) {
            return runtime_.run(std::forward<F>(work));
        }

        void cancel() { runtime_.cancel(); }
        [[nodiscard]] unsigned workers() const { return runtime_.workers(); }
        void dump(std::FILE* out) const { runtime_.dump_state(out); }

        [[nodiscard]] std::vector<worker_counts> counts() const { return counts_of(runtime_); }

        [[nodiscard]] std::vector<worker_times> times() const {
            std::vector<worker_times> times;
            for (const auto& t : runtime_.times()) {
                times.push_back({t.running, t.queueing, t.moving_tasks, t.moving_requests, t.idle});
            }
            return times;
        }

    private:
        template <class T>
        friend class local;

        static ::parley::options options_of(const setup& wanted) {
            auto options = ::parley::options::from_environment();
            options.workers = wanted.workers;
            options.seed = wanted.seed.value_or(options.seed);
            options.profile = options.profile || wanted.profile;
            return options;
        }

        // What follows the scheduler's name wins.
        static ::parley::threading::tuning tuning_of(const setup& wanted) {
            const auto tuning = tuned_by(wanted.tuning);
            return wanted.split.empty() ? tuning : tuned_by("split", wanted.split, tuning);
        }

        ::parley::runtime runtime_;
    };

    class scope {
    public:
        template <class F, class... Args>
        [[gnu::always_inline]] void spawn(F&& child, Args&&... arguments) {
            scope_.spawn(std::forward<F>(child), std::forward<Args>(arguments)...);
        }
        void wait() { scope_.wait(); }

    private:
        ::parley::scope scope_;
    };

    // Awaited by the detection of termination, as in the papers. Only in the root task, outside all others.
    class group {
    public:
        template <class Body>
        void run(Body&& body) {
            body();
            ::parley::barrier();
        }
        template <class F, class... Args>
        [[gnu::always_inline]] void spawn(F&& child, Args&&... arguments) {
            ::parley::spawn(std::forward<F>(child), std::forward<Args>(arguments)...);
        }
    };

    class futures {
    public:
        template <class F>
        void spawn(F&& child) {
            pending_.push_back(::parley::async(std::forward<F>(child)));
        }
        // The newest first: what this worker has left of them is on top of its deque.
        void wait() {
            auto pending = std::exchange(pending_, {});
            for (; !pending.empty(); pending.pop_back()) {
                pending.back().get();
            }
        }

    private:
        std::vector<::parley::future<void>> pending_;
    };

    template <class T>
    class local {
    public:
        explicit local(pool& home) : values_(home.runtime_) {}

        [[nodiscard]] T& mine() { return values_.local(); }

        template <class F>
        void each(F&& visit) {
            for (T& value : values_) {
                visit(value);
            }
        }

    private:
        ::parley::worker_local<T> values_;
    };

    template <class F, class G>
    [[gnu::always_inline]] static auto fork_join(F&& first, G&& second) {
        return ::parley::fork_join(std::forward<F>(first), std::forward<G>(second));
    }

    template <class I, class Body>
    static void for_each_index(I first, I last, Body body) {
        ::parley::for_each_index(first, last, std::move(body));
    }

    template <class T, class I, class Body>
    static T sum(I first, I last, Body body) {
        return ::parley::reduce_index(first, last, T{}, std::plus<>{}, std::move(body));
    }

    static void poll() { ::parley::poll(); }
    static void barrier() { ::parley::barrier(); }
};

static_assert(scheduler<parley>);

}  // namespace parley_peers::inline v0
