// Bouncing producer-consumer with bundled consumers: a producer makes the next producer and one loop, whose
// iterations are the consumers (thesis, section 5.4.2). Loops are divided while tasks are about.
#pragma once

#include <cstdint>

#include "lab/programs/busy.hpp"
#include "lab/programs/program.hpp"
#include "lab/programs/task_count.hpp"

namespace parley_programs::inline v0 {

template <class S>
class bundled_consumers {
public:
    bundled_consumers(std::uint32_t d, std::uint32_t n, const busy_work& work, typename S::pool& pool)
        : d_(d), n_(n), work_(work), done_(pool) {}

    // Returns how many have run: d producers and n consumers of each.
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
        done_.add_one();
        const auto consume = [this](std::uint32_t) {
            work_.run<S>();
            done_.add_one();
        };
        if constexpr (requires { group.spawn_loop(0U, n_, consume); }) {
            group.spawn_loop(0U, n_, consume);
        } else {
            group.spawn([n = n_, consume] { S::for_each_index(0U, n, consume); });
        }
    }

    std::uint32_t d_;
    std::uint32_t n_;
    busy_work work_;
    task_count<S> done_;
};

}  // namespace parley_programs::inline v0
