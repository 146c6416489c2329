// Simple producer-consumer: one task makes n tasks, each of which computes for some time. How many
// consumers can one producer keep busy (thesis, section 2.8)?
#pragma once

#include <cstdint>

#include "lab/programs/busy.hpp"
#include "lab/programs/program.hpp"
#include "lab/programs/task_count.hpp"

namespace parley_programs::inline v0 {

template <class S>
class single_producer {
public:
    single_producer(std::uint64_t n, const busy_work& work, typename S::pool& pool) : n_(n), work_(work), done_(pool) {}

    // Returns how many tasks have run: n.
    std::uint64_t operator()() {
        done_.clear();
        typename S::scope scope;
        for (std::uint64_t i = 0; i < n_; ++i) {
            scope.spawn([this] {
                work_.run<S>();
                done_.add_one();
            });
        }
        scope.wait();
        return done_.total();
    }

    // May be called by any thread meanwhile.
    [[nodiscard]] std::uint64_t so_far() { return done_.total(); }

private:
    std::uint64_t n_;
    busy_work work_;
    task_count<S> done_;
};

}  // namespace parley_programs::inline v0
