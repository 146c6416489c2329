// oneTBB with an affinity_partitioner for loops that are run again and again: it remembers which thread had which part.
#pragma once

#include "lab/peers/tbb.hpp"

namespace parley_peers {

struct tbb_affinity : tbb {
    static constexpr std::string_view name = "tbb-affinity";

    // One for each loop of the program.
    class repeated_loop {
    public:
        template <class I, class Body>
        void operator()(I first, I last, Body body) {
            if (!(first < last)) return;
            ::tbb::parallel_for(
                ::tbb::blocked_range<I>(first, last),
                [&body](const ::tbb::blocked_range<I>& range) {
                    const I stop = range.end();
                    for (I i = range.begin(); i < stop; ++i) body(i);
                },
                memory_);
        }

    private:
        ::tbb::affinity_partitioner memory_;
    };
};

}  // namespace parley_peers
