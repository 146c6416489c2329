// oneTBB behind the facade: parallel_invoke for forks, task_group for spawns, parallel_for with its
// default partitioner for loops, in an arena of as many threads as there are workers.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <type_traits>
#include <utility>

#include "lab/peers/group_of.hpp"
#include "lab/peers/outcome.hpp"
#include "lab/peers/scheduler.hpp"

namespace parley_peers {

struct tbb {
    static constexpr std::string_view name = "tbb";

    struct cancelled {};

    template <class T>
    class local;

    class pool {
    public:
        explicit pool(const setup& wanted) : arena_(static_cast<int>(wanted.workers)), workers_(wanted.workers) {}

        // All contexts below are bound to that of the outermost group, which cancel() cancels.
        template <class F>
        auto run(F&& work) {
            // Allows more threads than cores. For this run only: the least of all limits would hold for
            // the pools with more workers, too.
            const ::tbb::global_control limit(::tbb::global_control::max_allowed_parallelism, workers_);
            outcome<std::invoke_result_t<F&>> result;
            bool complete = false;
            arena_.execute([&] {
                ::tbb::task_group all(context_);
                complete = all.run_and_wait([&] { result.fill(work); }) == ::tbb::task_group_status::complete;
            });
            context_.reset();
            if (!complete || !result.is_there()) throw cancelled{};
            return result.take();
        }

        void cancel() noexcept { context_.cancel_group_execution(); }
        [[nodiscard]] unsigned workers() const noexcept { return workers_; }
        [[nodiscard]] std::vector<worker_counts> counts() const { return {}; }
        void dump(std::FILE*) const noexcept {}

    private:
        template <class T>
        friend class local;
        ::tbb::task_arena arena_;
        ::tbb::task_group_context context_{::tbb::task_group_context::isolated};
        unsigned workers_;
    };

    class scope {
    public:
        scope() = default;
        scope(const scope&) = delete;
        scope& operator=(const scope&) = delete;
        ~scope() { wait(); }

        template <class F, class... Args>
        void spawn(F&& f, Args&&... args) {
            if constexpr (sizeof...(Args) == 0) {
                group_.run(std::forward<F>(f));
            } else {
                group_.run([f = std::forward<F>(f), ... args = std::forward<Args>(args)] { f(args...); });
            }
        }
        void wait() { group_.wait(); }

    private:
        ::tbb::task_group group_;
    };
    using group = group_of<scope>;

    template <class T>
    class local {
    public:
        explicit local(pool&) {}
        [[nodiscard]] T& mine() { return values_.local(); }
        template <class F>
        void each(F&& visit) {
            for (T& value : values_) visit(value);
        }

    private:
        ::tbb::enumerable_thread_specific<T> values_;
    };

    template <class F, class G>
    static auto fork_join(F&& first, G&& second) {
        std::pair<std::invoke_result_t<F&>, std::invoke_result_t<G&>> both;
        ::tbb::parallel_invoke([&] { both.first = first(); }, [&] { both.second = second(); });
        return both;
    }

    template <class I, class Body>
    static void for_each_index(I first, I last, Body body) {
        if (!(first < last)) return;
        // Not the form with two indices: its step, known at run time only, hinders vectorisation.
        ::tbb::parallel_for(::tbb::blocked_range<I>(first, last), [&body](const ::tbb::blocked_range<I>& range) {
            const I stop = range.end();
            for (I i = range.begin(); i < stop; ++i) body(i);
        });
    }

    template <class T, class I, class Body>
    static T sum(I first, I last, Body body) {
        if (!(first < last)) return T{};
        return ::tbb::parallel_reduce(
            ::tbb::blocked_range<I>(first, last), T{},
            [&body](const ::tbb::blocked_range<I>& range, T part) {
                const I stop = range.end();
                for (I i = range.begin(); i < stop; ++i) part += body(i);
                return part;
            },
            [](const T& a, const T& b) { return a + b; });
    }

    static void poll() noexcept {}
};

static_assert(scheduler<tbb>);

}  // namespace parley_peers
