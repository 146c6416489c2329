// How many cores a program should ask for, from what it did with those it had: A-Steal's multiplicative increase and
// decrease (Agrawal, Leiserson, He, Hsu 2008; [BI §2.3] builds on it), with a hold-off.
//
// Plain A-Steal saws: a program of fixed parallelism asks for rho times as many every other quantum, gets them, wastes
// them and gives them back. Here a growth that failed makes the next one wait, each time twice as long up to `longest`.
#pragma once

#include <broker/policy/classes.hpp>
#include <broker/policy/ids.hpp>

#include <cstdint>

namespace parley::inline v0::broker {

struct desire_options {
    double growth = 2.0;            // rho
    double least_efficiency = 0.8;  // delta
    double headroom = 0.95;         // a shrinking program keeps what it was busy on, divided by this
    std::uint32_t longest = 8;      // hold-off in quanta
    friend bool operator==(const desire_options&, const desire_options&) = default;
};

struct desire {
    std::uint32_t cores = 1;
    std::uint32_t hold_off = 0;  // after the last failure
    std::uint32_t wait = 0;      // quanta until the next growth
    bool grew = false;           // and has not shown yet that it was right
    program_class judged = program_class::satisfied;
    friend bool operator==(const desire&, const desire&) = default;
};

// After a quantum in which the program was busy on `busy` cores on average, with `efficiency` of what it held.
// `most` >= 1: never more than that.
[[nodiscard]] desire next_desire(desire, double efficiency, double busy, std::uint32_t allotment, std::uint32_t most,
                                 const desire_options&) noexcept;

}  // namespace parley::inline v0::broker
