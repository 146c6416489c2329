// `rayon` and `chili`: schedulers from crates of Rust. They are not behind the facade of scheduler.hpp,
// as closures that cross from one language to the other at each fork would cost more than chili's
// forks do. Instead, some programs are written in Rust (lab/peers/rust), and C++ calls them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lab/peers/outcome.hpp"
#include "lab/peers/scheduler.hpp"

extern "C" {

struct parley_rust_pool;
struct parley_rust_search;  // lab/programs/uts_in_rust.hpp

// What a leaf of treerec computes.
struct parley_rust_leaf {
    void (*spin)(std::uint64_t rounds) noexcept;
    std::uint64_t rounds;
};

// What is done on a worker; `scope` goes on to the programs that it calls.
using parley_rust_call = void (*)(void* context, void* scope);

void parley_rust_cancel();
bool parley_rust_was_cancelled();  // since this was last called

parley_rust_pool* parley_rayon_start(std::uint32_t workers);
bool parley_rayon_run(parley_rust_pool*, parley_rust_call, void* context);
void parley_rayon_end(parley_rust_pool*);
std::uint64_t parley_rayon_fib(void* scope, std::uint32_t n);
std::uint64_t parley_rayon_nqueens(void* scope, std::uint32_t n);
std::uint64_t parley_rayon_treerec(void* scope, std::uint32_t n, const parley_rust_leaf*);
bool parley_rayon_uts(void* scope, const parley_rust_search*);
void parley_rayon_cilksort(void* scope, std::int32_t* elements, std::int32_t* scratch, std::size_t n);
void parley_rayon_for_each(std::size_t first, std::size_t last, void (*body)(const void* context, std::size_t i) noexcept,
                           const void* context);
void parley_rayon_empty_loop(std::size_t n);
void parley_rayon_pass(std::uint32_t* elements, std::size_t n);

// Little work (lab/programs/small), on a worker. A step takes some nanoseconds.
using parley_rust_step = std::uint64_t (*)(std::uint64_t);
void parley_rayon_small_loop(void* scope, parley_rust_step, std::uint64_t* out, std::size_t n);
std::uint64_t parley_rayon_small_reduce(void* scope, parley_rust_step, const std::uint64_t* elements, std::size_t n);
void parley_rayon_small_sort(void* scope, std::uint64_t* elements, std::size_t n, bool stable);
void parley_rayon_small_scope(void* scope, parley_rust_step, std::uint64_t* out, std::size_t n);
std::uint64_t parley_rayon_small_forks(void* scope, parley_rust_step, std::uint64_t n);

parley_rust_pool* parley_chili_start(std::uint32_t workers);
bool parley_chili_run(parley_rust_pool*, parley_rust_call, void* context);
void parley_chili_end(parley_rust_pool*);
std::uint64_t parley_chili_fib(void* scope, std::uint32_t n);
std::uint64_t parley_chili_nqueens(void* scope, std::uint32_t n);
std::uint64_t parley_chili_treerec(void* scope, std::uint32_t n, const parley_rust_leaf*);
bool parley_chili_uts(void* scope, const parley_rust_search*);
void parley_chili_cilksort(void* scope, std::int32_t* elements, std::int32_t* scratch, std::size_t n);
void parley_chili_small_loop(void* scope, parley_rust_step, std::uint64_t* out, std::size_t n);
std::uint64_t parley_chili_small_reduce(void* scope, parley_rust_step, const std::uint64_t* elements, std::size_t n);
std::uint64_t parley_chili_small_forks(void* scope, parley_rust_step, std::uint64_t n);

}  // extern "C"

namespace parley_peers {

struct rayon_calls {
    static constexpr std::string_view name = "rayon";
    // Whether a search can be watched: chili has no number for each worker, so what they find
    // comes up through the joins.
    static constexpr bool counts_as_it_goes = true;
    static constexpr auto start = parley_rayon_start;
    static constexpr auto run = parley_rayon_run;
    static constexpr auto end = parley_rayon_end;
    static constexpr auto fib = parley_rayon_fib;
    static constexpr auto nqueens = parley_rayon_nqueens;
    static constexpr auto treerec = parley_rayon_treerec;
    static constexpr auto uts = parley_rayon_uts;
    static constexpr auto cilksort = parley_rayon_cilksort;
    static constexpr auto for_each = parley_rayon_for_each;
    static constexpr auto empty_loop = parley_rayon_empty_loop;
    static constexpr auto pass = parley_rayon_pass;
    static constexpr auto small_loop = parley_rayon_small_loop;
    static constexpr auto small_reduce = parley_rayon_small_reduce;
    static constexpr auto small_forks = parley_rayon_small_forks;
};

struct chili_calls {
    static constexpr std::string_view name = "chili";
    static constexpr bool counts_as_it_goes = false;
    static constexpr auto start = parley_chili_start;
    static constexpr auto run = parley_chili_run;
    static constexpr auto end = parley_chili_end;
    static constexpr auto fib = parley_chili_fib;
    static constexpr auto nqueens = parley_chili_nqueens;
    static constexpr auto treerec = parley_chili_treerec;
    static constexpr auto uts = parley_chili_uts;
    static constexpr auto cilksort = parley_chili_cilksort;
    static constexpr auto small_loop = parley_chili_small_loop;
    static constexpr auto small_reduce = parley_chili_small_reduce;
    static constexpr auto small_forks = parley_chili_small_forks;
};

template <class Calls>
struct rust {
    static constexpr std::string_view name = Calls::name;
    static constexpr bool is_in_rust = true;
    static constexpr bool counts_as_it_goes = Calls::counts_as_it_goes;

    struct cancelled {};

    class pool {
    public:
        explicit pool(const setup& wanted) : workers_(wanted.workers), pool_(Calls::start(wanted.workers)) {
            if (!pool_) throw std::runtime_error(no_thread());
        }

        // Calls `work` on one of the workers: there it may call the programs below.
        template <class F>
        auto run(F&& work) {
            outcome<std::invoke_result_t<F&>> result;
            std::exception_ptr failure;  // may not pass through Rust
            auto call = [&](void* scope) noexcept {
                current_scope = scope;
                try {
                    result.fill(work);
                } catch (...) {
                    failure = std::current_exception();
                }
            };
            parley_rust_was_cancelled();  // too late for another run, of whichever pool
            const bool called = Calls::run(
                pool_.get(), [](void* context, void* scope) { (*static_cast<decltype(call)*>(context))(scope); }, &call);
            const bool was_cancelled = parley_rust_was_cancelled();
            if (failure) std::rethrow_exception(failure);
            if (!called) throw std::runtime_error(no_thread());
            if (was_cancelled) throw cancelled{};
            return result.take();
        }

        void cancel() noexcept { parley_rust_cancel(); }
        [[nodiscard]] unsigned workers() const noexcept { return workers_; }
        [[nodiscard]] std::vector<worker_counts> counts() const { return {}; }
        void dump(std::FILE*) const noexcept {}

    private:
        static std::string no_thread() {
            std::string text(name);
            return text.append(" cannot start its threads");
        }
        struct ender {
            void operator()(parley_rust_pool* pool) const { Calls::end(pool); }
        };
        unsigned workers_;
        std::unique_ptr<parley_rust_pool, ender> pool_;
    };

    // The programs, to be called inside pool::run().

    static std::uint64_t fib(unsigned n) { return Calls::fib(current_scope, n); }
    static std::uint64_t nqueens(unsigned n) { return Calls::nqueens(current_scope, n); }
    static std::uint64_t treerec(unsigned n, const parley_rust_leaf& leaf) {
        return Calls::treerec(current_scope, n, &leaf);
    }
    // False if the tree is too deep.
    static bool uts(const parley_rust_search& search) { return Calls::uts(current_scope, &search); }
    static void cilksort(std::int32_t* elements, std::int32_t* scratch, std::size_t n) {
        Calls::cilksort(current_scope, elements, scratch, n);
    }
    // Little work (lab/programs/small).
    static void small_loop(parley_rust_step step, std::uint64_t* out, std::size_t n) {
        Calls::small_loop(current_scope, step, out, n);
    }
    static std::uint64_t small_reduce(parley_rust_step step, const std::uint64_t* elements, std::size_t n) {
        return Calls::small_reduce(current_scope, step, elements, n);
    }
    static std::uint64_t small_forks(parley_rust_step step, std::uint64_t n) {
        return Calls::small_forks(current_scope, step, n);
    }

    // Loops, which rayon alone has. Each body is a call from Rust: bodies that take less than some ten nanoseconds are
    // written there instead, as these two are.
    template <class Body>
    static void for_each_index(std::size_t first, std::size_t last, Body body) {
        Calls::for_each(
            first, last, [](const void* context, std::size_t i) noexcept { (*static_cast<const Body*>(context))(i); },
            &body);
    }
    static void empty_loop(std::size_t n) { Calls::empty_loop(n); }
    // x = 5 x + 3, for each.
    static void pass(std::uint32_t* elements, std::size_t n) { Calls::pass(elements, n); }

private:
    inline static thread_local void* current_scope = nullptr;
};

using rayon = rust<rayon_calls>;
using chili = rust<chili_calls>;

}  // namespace parley_peers
