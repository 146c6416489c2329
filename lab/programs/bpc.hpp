// Bouncing producer-consumer: a producer makes the next producer and then n consumers, each of
// which computes for some time; so do d producers in all. Work is never at one place for long, and
// the smaller n, the harder it is to find (thesis, section 2.8).
#pragma once

#include <cstdint>

#include "lab/programs/busy.hpp"
#include "lab/programs/program.hpp"
#include "lab/programs/task_count.hpp"

namespace parley_programs::inline v0 {

template <class S>
class bouncing_producers {
public:
    bouncing_producers(std::uint32_t d, std::uint32_t n, const busy_work& work, typename S::pool& pool)
        : d_(d), n_(n), work_(work), done_(pool) {}

    // Returns how many tasks have run: d producers and n consumers of each.
    std::uint64_t operator()() {
        done_.clear();
        typename S::group group;
        group.run([this, &group] { group.spawn([this, &group, left = d_] { produce(group, left); }); });
        return done_.total();
    }

    // May be called by any thread meanwhile.
    [[nodiscard]] std::uint64_t so_far() { return done_.total(); }

private:
    void produce(typename S::group& group, std::uint32_t left) {
        if (left > 1) {
            group.spawn([this, &group, left] { produce(group, left - 1); });
        }
        for (std::uint32_t i = 0; i < n_; ++i) {
            group.spawn([this] {
                work_.run<S>();
                done_.add_one();
            });
        }
        done_.add_one();
    }

    std::uint32_t d_;
    std::uint32_t n_;
    busy_work work_;
    task_count<S> done_;
};

}  // namespace parley_programs::inline v0
