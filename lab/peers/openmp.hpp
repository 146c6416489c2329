// OpenMP behind the facade: tasks with taskwait and taskgroup, taskloop for loops inside tasks, as
// libgomp (g++) or libomp (clang) runs them. Its own cancellation must be switched on in the
// environment before the program starts, so a flag does instead: cancelled tasks are skipped.
#pragma once

#include <omp.h>

#include <atomic>
#include <exception>
#include <type_traits>
#include <utility>

#include "lab/peers/outcome.hpp"
#include "lab/peers/padded.hpp"
#include "lab/peers/scheduler.hpp"

namespace parley_peers {

struct openmp {
    static constexpr std::string_view name = "openmp";

    struct cancelled {};

    class pool {
    public:
        explicit pool(const setup& wanted) : workers_(wanted.workers) {}

        template <class F>
        auto run(F&& work) {
            outcome<std::invoke_result_t<F&>> result;
            std::exception_ptr failure;  // may not leave the region
#pragma omp parallel num_threads(static_cast<int>(workers_)) shared(result, work, failure)
#pragma omp single
            try {
                result.fill(work);
            } catch (...) {
                failure = std::current_exception();
            }
            if (failure) std::rethrow_exception(failure);
            if (stop.exchange(false)) throw cancelled{};
            return result.take();
        }

        void cancel() noexcept { stop.store(true, std::memory_order_relaxed); }
        [[nodiscard]] unsigned workers() const noexcept { return workers_; }
        [[nodiscard]] std::vector<worker_counts> counts() const { return {}; }
        void dump(std::FILE*) const noexcept {}

    private:
        unsigned workers_;
    };

    // Awaits the children of the task that made it.
    class scope {
    public:
        template <class F, class... Args>
        void spawn(F&& f, Args&&... args) {
            auto call = [f = std::forward<F>(f), ... args = std::forward<Args>(args)] { f(args...); };
#pragma omp task default(none) firstprivate(call)
            if (!stop.load(std::memory_order_relaxed)) call();
        }
        void wait() {
#pragma omp taskwait
        }
    };

    // Awaits children and children's children.
    class group {
    public:
        template <class Body>
        void run(Body&& body) {
#pragma omp taskgroup
            body();
        }
        template <class F, class... Args>
        void spawn(F&& f, Args&&... args) {
            scope().spawn(std::forward<F>(f), std::forward<Args>(args)...);
        }
        // Its tasks are the caller's children: the group awaits them.
        template <class I, class Body>
        void spawn_loop(I first, I last, Body body) {
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wsign-conversion"
#pragma clang diagnostic ignored "-Wsign-compare"
#pragma clang diagnostic ignored "-Wshorten-64-to-32"
#endif
#pragma omp taskloop default(none) firstprivate(first, last, body) nogroup
            for (I i = first; i < last; ++i)
                if (!stop.load(std::memory_order_relaxed)) body(i);
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
        }
    };

    template <class T>
    class local : public per_worker<T> {
    public:
        explicit local(pool& home) : per_worker<T>(home.workers()) {}
        [[nodiscard]] T& mine() { return this->of(static_cast<std::size_t>(omp_get_thread_num())); }
    };

    template <class F, class G>
    static auto fork_join(F&& first, G&& second) {
        std::pair<std::invoke_result_t<F&>, std::invoke_result_t<G&>> both;
        if (stop.load(std::memory_order_relaxed)) return both;
#pragma omp task default(none) shared(both, second)
        both.second = second();
        both.first = first();
#pragma omp taskwait
        return both;
    }

    template <class I, class Body>
    static void for_each_index(I first, I last, Body body) {
// Clang warns of the conversions in the code that it makes of the loop itself.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wsign-conversion"
#pragma clang diagnostic ignored "-Wsign-compare"
#endif
#pragma omp taskloop default(none) shared(body) firstprivate(first, last)
        for (I i = first; i < last; ++i)
            if (!stop.load(std::memory_order_relaxed)) body(i);
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
    }

    static void poll() noexcept {}

private:
    inline static std::atomic<bool> stop{false};
};

static_assert(scheduler<openmp>);

}  // namespace parley_peers
