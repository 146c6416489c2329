// A worker that nothing interferes with.
#pragma once

#include "tests/parley/protocol/one_thread_medium.hpp"

#include <parley/detail/protocol/stealing.hpp>
#include <parley/detail/protocol/victim.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

namespace protocol_tests {

using machine = worker<random_victims, steal_one>;

class one_worker : public testing::Test {
protected:
    // Worker 1 of three; 2 and 0 are whom it meets.
    house h{3};
    machine self{1, 3, 7, {}};
    one_thread_medium m{h, 1};
    place& mine = h.at[1];

    [[nodiscard]] std::size_t letters() const { return h.at[0].mailbox.size() + h.at[2].mailbox.size(); }
    [[nodiscard]] auto noted(event e) const { return std::count(h.events.begin(), h.events.end(), e); }
};

}  // namespace protocol_tests
