// A program that has something to do in parallel now and then.
#pragma once

#include "tests/lab/sim/timed_runs.hpp"
#include "tests/lab/sim/timed_shapes.hpp"

#include <lab/sim/timed/pool.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley_tests {

inline constexpr timed::duration millisecond = 1000 * timed::microsecond;

// The root computes alone, and then does something in parallel that has `n` equal parts. It repeats that for each length.
struct parts_now_and_then : timed::shape {
    enum class as { loop, forks, spawns };
    parts_now_and_then(as what, std::uint64_t parts, timed::duration alone, std::vector<timed::duration> lengths)
        : kind(what), n(parts), pause(alone), each(std::move(lengths)) {}
    next_deed next(activity& a, bool) override {
        if (a.kind == 1) {
            if (a.words[0] == 1) return a.step++ == 0 ? next_deed{.what = deed::work, .length = length()} : next_deed{};
            switch (a.step++) {
                case 0: return {.what = deed::fork, .kind = 1, .words = {a.words[0] / 2}};
                case 1: return {.what = deed::call, .kind = 1, .words = {a.words[0] - a.words[0] / 2}};
                case 2: return {.what = deed::join};
                default: return {};
            }
        }
        if (round == each.size()) return {};
        switch (a.step++) {
            case 0: return {.what = deed::work, .length = round == 0 ? first_pause + pause : pause};
            case 1:
                if (a.count == 0) begins();
                if (kind == as::loop) return {.what = deed::loop, .words = {n}};
                if (kind == as::forks) return {.what = deed::call, .kind = 1, .words = {n}};
                if (++a.count < n) a.step = 1;
                return {.what = deed::spawn, .kind = 1, .words = {1}};
            case 2:
                if (kind == as::spawns) return {.what = deed::wait};
                [[fallthrough]];
            default:
                ends();
                a.step = 0;
                a.count = 0;
                ++round;
                return {.what = deed::work, .length = 0};
        }
    }
    timed::duration iteration(std::uint32_t, std::uint64_t) override { return length(); }
    [[nodiscard]] timed::duration length() const { return each[round]; }

    as kind;
    std::uint64_t n;
    timed::duration pause, first_pause = 0;
    std::vector<timed::duration> each;
    std::size_t round = 0;
    // Of the run that this is in, if the test wants to know how long each round took.
    timed::pool* seen = nullptr;
    std::vector<timed::duration> took;

    void begins() {
        if (seen != nullptr) began_ = seen->at(0).now;
    }
    void ends() {
        if (seen != nullptr) took.push_back(seen->at(0).now - began_);
    }
    timed::moment began_ = 0;
};

inline constexpr parts_now_and_then::as all_kinds[] = {parts_now_and_then::as::loop, parts_now_and_then::as::forks,
                                                       parts_now_and_then::as::spawns};

inline timed::setup weighing(std::uint32_t workers, bool weighs = true) {
    timed::setup s = setup_of({}, workers, 1);
    s.weighs = weighs;
    return s;
}

// How long each round took.
inline std::vector<timed::duration> rounds_of(const timed::setup& s, parts_now_and_then& program) {
    timed::pool home(s, program);
    program.seen = &home;
    (void)home.run();
    return program.took;
}

inline timed::duration percentile_of(std::vector<timed::duration> all, std::size_t percent) {
    std::sort(all.begin(), all.end());
    return all[(all.size() - 1) * percent / 100];
}

}  // namespace parley_tests
