// `deque`: the papers' reference. Our own tasks over Chase-Lev deques instead of private deques and
// channels; everything else as one would write it there: forks in the caller's frame, one shared
// count per scope. Tasks must not throw.
#pragma once

#include <atomic>
#include <memory>
#include <type_traits>
#include <utility>

#include "lab/peers/deque/loop.hpp"
#include "lab/peers/deque/pool.hpp"
#include "lab/peers/outcome.hpp"
#include "lab/peers/padded.hpp"
#include "lab/peers/scheduler.hpp"

namespace parley_peers {

struct deque {
    static constexpr std::string_view name = "deque";
    static constexpr auto splits = deque_detail::split_names;

    struct cancelled {};

    class pool {
    public:
        explicit pool(const setup& wanted) : workers_(wanted) {}

        template <class F>
        auto run(F&& work) {
            outcome<std::invoke_result_t<F&>> result;
            workers_.run([&] { result.fill(work); });
            if (workers_.end_cancelling()) throw cancelled{};
            return result.take();
        }

        void cancel() noexcept { workers_.cancel(); }
        [[nodiscard]] unsigned workers() const noexcept { return workers_.size(); }
        void dump(std::FILE*) const noexcept {}
        [[nodiscard]] std::string_view split() const noexcept { return splits[static_cast<std::size_t>(workers_.split())]; }

        [[nodiscard]] std::vector<worker_counts> counts() const {
            std::vector<worker_counts> all;
            for (unsigned id = 0; id < workers_.size(); ++id) {
                const auto& w = workers_.at(id);
                worker_counts c;
                c.tasks = w.tasks.get();
                c.steals = w.steals.get();
                c.failed = w.failed.get();
                all.push_back(c);
            }
            return all;
        }

    private:
        deque_detail::pool workers_;
    };

    // Cancelled work is skipped, and run() says so at its end.
    class scope {
    public:
        template <class F, class... Args>
        void spawn(F&& f, Args&&... args) {
            deque_detail::worker& self = *deque_detail::current;
            auto call = [f = std::forward<F>(f), ... args = std::forward<Args>(args)]() mutable { f(args...); };
            using record = spawned<decltype(call)>;
            static_assert(sizeof(record) <= deque_detail::task_memory::size);
            pending_.fetch_add(1, std::memory_order_relaxed);
            self.queue.push(::new (self.memory.allocate()) record(*this, std::move(call)));
        }
        void wait() {
            deque_detail::worker& self = *deque_detail::current;
            self.home.work_until(self, [this] { return pending_.load(std::memory_order_acquire) == 0; });
        }

    private:
        template <class F>
        struct spawned : deque_detail::task {
            spawned(scope& s, F&& f) : task{&run_it}, owner(&s), function(std::move(f)) {}
            static void run_it(task* t, deque_detail::worker& self) {
                auto* const me = static_cast<spawned*>(t);
                scope& owner = *me->owner;
                if (!self.home.cancelling()) me->function();
                std::destroy_at(me);
                self.memory.free(me);
                owner.pending_.fetch_sub(1, std::memory_order_release);  // wait(): all is done
            }
            scope* owner;
            F function;
        };

        std::atomic<std::int64_t> pending_{0};
    };

    // Awaited by the detection of termination, as in the papers: nothing is counted. Only in the root
    // task, outside all others.
    class group {
    public:
        template <class Body>
        void run(Body&& body) {
            body();
            deque_detail::current->home.barrier();
        }
        template <class F, class... Args>
        void spawn(F&& f, Args&&... args) {
            deque_detail::worker& self = *deque_detail::current;
            auto call = [f = std::forward<F>(f), ... args = std::forward<Args>(args)]() mutable { f(args...); };
            using record = uncounted<decltype(call)>;
            static_assert(sizeof(record) <= deque_detail::task_memory::size);
            self.queue.push(::new (self.memory.allocate()) record(std::move(call)));
        }
        // Nobody waits for the loop itself: it lives until its last piece is done.
        template <class I, class Body>
        void spawn_loop(I first, I last, Body body) {
            if (!(first < last)) return;
            deque_detail::worker& self = *deque_detail::current;
            const auto count = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
            auto* const all = new spawned_loop<I, Body>(self, first, std::move(body), count);
            all->run.spawn(self, count, all, [](void* l) { delete static_cast<spawned_loop<I, Body>*>(l); });
        }

    private:
        template <class I, class Body>
        struct spawned_loop {
            struct body_block {
                I first;
                Body body;
                void operator()(std::uint64_t from, std::uint64_t to) const {
                    for (; from < to; ++from) body(static_cast<I>(first + static_cast<I>(from)));
                }
            };
            spawned_loop(deque_detail::worker& self, I first, Body&& body, std::uint64_t count)
                : block{first, std::move(body)}, run(self, block, count) {}
            const body_block block;
            deque_detail::loop<const body_block> run;
        };
        template <class F>
        struct uncounted : deque_detail::task {
            explicit uncounted(F&& f) : task{&run_it}, function(std::move(f)) {}
            static void run_it(task* t, deque_detail::worker& self) {
                auto* const me = static_cast<uncounted*>(t);
                if (!self.home.cancelling()) me->function();
                std::destroy_at(me);
                self.memory.free(me);
            }
            F function;
        };
    };

    template <class T>
    class local : public per_worker<T> {
    public:
        explicit local(pool& home) : per_worker<T>(home.workers()) {}
        [[nodiscard]] T& mine() { return this->of(deque_detail::current->id); }
    };

    template <class F, class G>
    [[gnu::always_inline]] static auto fork_join(F&& first, G&& second) {
        using right_t = std::invoke_result_t<G&>;
        using left_t = std::invoke_result_t<F&>;
        deque_detail::worker& self = *deque_detail::current;
        if (self.home.cancelling()) [[unlikely]]
            return std::pair<left_t, right_t>();
        forked<std::remove_reference_t<G>, right_t> other(second);
        self.queue.push(&other);
        left_t left = first();
        // What `first` spawned into older scopes and left lies above.
        for (;;) {
            deque_detail::task* const newest = self.queue.pop();
            if (newest == &other) {
                self.tasks.add();
                return std::pair<left_t, right_t>(std::move(left), second());
            }
            if (newest == nullptr) break;
            self.run(newest);
        }
        self.home.work_until(self, [&] { return other.done.load(std::memory_order_acquire); });
        return std::pair<left_t, right_t>(std::move(left), std::move(other.result));
    }

    template <class I, class Body>
    static void for_each_index(I first, I last, Body body) {
        for_blocks(first, last, [&body](I from, I to) {
            for (; from < to; ++from) body(from);
        });
    }

    template <class T, class I, class Body>
    static T sum(I first, I last, Body body) {
        per_worker<T> parts(deque_detail::current->home.size());
        for_blocks(first, last, [&](I from, I to) {
            T part{};
            for (; from < to; ++from) part += body(from);
            parts.of(deque_detail::current->id) += part;
        });
        T total{};
        parts.each([&total](const T& part) { total += part; });
        return total;
    }

    static void poll() noexcept {}

private:
    template <class G, class R>
    struct forked : deque_detail::task {
        explicit forked(G& g) : task{&run_it}, function(&g) {}
        static void run_it(task* t, deque_detail::worker&) {
            auto* const me = static_cast<forked*>(t);
            me->result = (*me->function)();
            me->done.store(true, std::memory_order_release);  // the last access to the frame
        }
        G* function;
        R result{};
        std::atomic<bool> done{false};
    };

    template <class I, class Block>
    static void for_blocks(I first, I last, const Block& block) {
        if (!(first < last)) return;
        const auto count = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
        auto piece = [&block, first](std::uint64_t from, std::uint64_t to) {
            block(static_cast<I>(first + static_cast<I>(from)), static_cast<I>(first + static_cast<I>(to)));
        };
        deque_detail::worker& self = *deque_detail::current;
        deque_detail::loop loop(self, piece, count);
        loop.run(self, count);
    }
};

static_assert(scheduler<deque>);

}  // namespace parley_peers
