// Wide programs whose threads' run time the system books in lumps.

#include <broker/daemon/overuse.hpp>

#include <gtest/gtest.h>

namespace {

using namespace parley::broker;

constexpr nanoseconds a_spell = 50'000'000;

// All cores are used, each thread is booked once in so many spells, one after the other, and then nobody for a while.
bool is_convicted(nanoseconds threads, nanoseconds rhythm, nanoseconds first) {
    service::overuse o;
    for (nanoseconds i = first; i < first + 1000; ++i)
        if (o.add(a_spell, i % rhythm < threads ? rhythm * a_spell : 0, threads * a_spell)) return true;
    return false;
}

TEST(BrokerOveruseLumps, InSuccessiveSpellsConvictNobody) {
    for (nanoseconds rhythm = 1; rhythm <= 20; ++rhythm)
        for (nanoseconds threads = 1; threads <= rhythm; ++threads)
            for (nanoseconds first = 0; first < rhythm; ++first)
                EXPECT_FALSE(is_convicted(threads, rhythm, first)) << threads << " of " << rhythm << " from " << first;
}

}  // namespace
