// One item after the other, on the first lane.
#pragma once

#include <cstdint>

#include "peers/serial.hpp"
#include "peers/streams/plan.hpp"

namespace parley_peers {

struct serial_streams : serial {
    template <class Result, class Work, class Collect>
    static void stream(pool&, const stream_plan& plan, Work work, Collect collect) {
        for (std::uint64_t item = 0; item < plan.items; ++item) collect(work(0U, item));
    }
};

}  // namespace parley_peers
