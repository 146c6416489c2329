// OpenMP for programs that consist of loops: worksharing instead of tasks, as everybody writes it there.
// Its schedule is to be chosen for each loop: candidates() are what a user would try.
#pragma once

#include <omp.h>

#include <atomic>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "lab/peers/outcome.hpp"
#include "lab/peers/padded.hpp"
#include "lab/peers/scheduler.hpp"

namespace parley_peers {

struct openmp_loops {
    static constexpr std::string_view name = "openmp";

    struct cancelled {};

    // As in the environment variable OMP_SCHEDULE; chunk 0 is the kind's own choice.
    struct schedule {
        omp_sched_t kind;
        int chunk;
    };

    class pool {
    public:
        explicit pool(const setup& wanted) : workers_(wanted.workers) { std::ignore = of_environment(); }

        // Outside all parallel regions: each loop opens its own, its threads are kept in between. Those that spin until
        // the next loop, however long that takes, are there before the run and end with it: others want the processors.
        template <class F>
        auto run(F&& work) {
            omp_set_num_threads(static_cast<int>(workers_));
            omp_set_schedule(schedule_.kind, schedule_.chunk);
            const bool they_spin = wait_policy() == "active";
            if (they_spin) start_threads();
            outcome<std::invoke_result_t<F&>> result;
            result.fill(work);
            if (they_spin) omp_pause_resource_all(omp_pause_soft);
            if (stop.exchange(false)) throw cancelled{};
            return result.take();
        }

        // Loops that have not begun are skipped. One that runs cannot be left without OMP_CANCELLATION in the
        // environment, and a look at the flag in each iteration would keep it from being vectorised.
        void cancel() noexcept { stop.store(true, std::memory_order_relaxed); }
        [[nodiscard]] unsigned workers() const noexcept { return workers_; }
        [[nodiscard]] std::vector<worker_counts> counts() const { return {}; }
        void dump(std::FILE*) const noexcept {}

        // What OMP_SCHEDULE says is the user's choice. One worker has nothing to divide.
        [[nodiscard]] std::vector<schedule> candidates() const {
            const bool is_chosen = std::getenv("OMP_SCHEDULE") != nullptr;
            std::vector<schedule> all{is_chosen ? of_environment() : schedule{omp_sched_static, 0}};
            if (workers_ > 1 && !is_chosen) {
                for (const omp_sched_t kind : {omp_sched_static, omp_sched_dynamic, omp_sched_guided})
                    for (int chunk = 1; chunk <= 1024; chunk *= 4) all.push_back({kind, chunk});
            }
            return all;
        }
        void choose(const schedule& s) noexcept { schedule_ = s; }
        [[nodiscard]] static std::string in_words(const schedule& s) {
            const auto kind = static_cast<unsigned>(s.kind) & 7U;  // without the bit for monotonic ones
            std::string words = kind == omp_sched_static    ? "static"
                                : kind == omp_sched_dynamic ? "dynamic"
                                : kind == omp_sched_guided  ? "guided"
                                                            : "auto";
            return s.chunk == 0 ? words : words + "," + std::to_string(s.chunk);
        }

        // OMP_WAIT_POLICY, which OpenMP reads when the process begins: whether waiting threads spin. Empty if it is not set.
        [[nodiscard]] static std::string wait_policy() {
            const char* const said = std::getenv("OMP_WAIT_POLICY");
            std::string words = said == nullptr ? "" : said;
            for (char& letter : words) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
            return words;
        }

    private:
        // Before any run() has set another one.
        static const schedule& of_environment() {
            static const schedule at_start = [] {
                schedule s{};
                omp_get_schedule(&s.kind, &s.chunk);
                return s;
            }();
            return at_start;
        }

        static void start_threads() {
#pragma omp parallel
            std::atomic_signal_fence(std::memory_order_seq_cst);
        }

        unsigned workers_;
        schedule schedule_{omp_sched_static, 0};
    };

    template <class T>
    class local : public per_worker<T> {
    public:
        explicit local(pool& home) : per_worker<T>(home.workers()) {}
        [[nodiscard]] T& mine() { return this->of(static_cast<std::size_t>(omp_get_thread_num())); }
    };

// Clang warns of the conversions in the code that it makes of the loops itself.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wsign-conversion"
#pragma clang diagnostic ignored "-Wsign-compare"
#pragma clang diagnostic ignored "-Wshorten-64-to-32"
#endif
    // Inside another loop it is a plain one: all threads have work, and OpenMP's own nested regions,
    // which have one thread each, cost more.
    template <class I, class Body>
    static void for_each_index(I first, I last, Body body) {
        if (omp_in_parallel() != 0) {
            for (I i = first; i < last; ++i) body(i);
            return;
        }
        if (stop.load(std::memory_order_relaxed)) return;
#pragma omp parallel for default(none) shared(body) firstprivate(first, last) schedule(runtime)
        for (I i = first; i < last; ++i) body(i);
    }

    template <class T, class I, class Body>
    static T sum(I first, I last, Body body) {
        T total{};
        if (stop.load(std::memory_order_relaxed)) return total;
#pragma omp parallel for default(none) shared(body) firstprivate(first, last) schedule(runtime) reduction(+ : total)
        for (I i = first; i < last; ++i) total += body(i);
        return total;
    }
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

    static void poll() noexcept {}

private:
    inline static std::atomic<bool> stop{false};
};

}  // namespace parley_peers
