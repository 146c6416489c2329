// A loop that spawns tasks with nothing to do: what a task costs (thesis, section 2.7.2). They
// count themselves, or else nobody would know that they have run; so do the calls of the serial
// program.
#pragma once

#include <cstdint>

#include "lab/programs/program.hpp"
#include "lab/programs/task_count.hpp"

namespace parley_programs::inline v0 {

template <class S>
class empty_spawns {
public:
    empty_spawns(std::uint64_t n, typename S::pool& pool) : n_(n), done_(pool) {}

    // Returns how many tasks have run: n.
    std::uint64_t operator()() {
        done_.clear();
        typename S::scope scope;
        for (std::uint64_t i = 0; i < n_; ++i) {
            scope.spawn([this] { empty_task(); });
        }
        scope.wait();
        return done_.total();
    }

    // May be called by any thread meanwhile.
    [[nodiscard]] std::uint64_t so_far() { return done_.total(); }

private:
    // noinline: the serial program is then a loop of calls, as the thesis' is.
    [[gnu::noinline]] void empty_task() { done_.add_one(); }

    std::uint64_t n_;
    task_count<S> done_;
};

}  // namespace parley_programs::inline v0
