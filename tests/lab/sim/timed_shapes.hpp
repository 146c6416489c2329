// Small programs for virtual workers, whose counts are known.
#pragma once

#include <lab/sim/timed/shape.hpp>

#include <cstdint>

namespace parley_tests {

namespace timed = parley::sim::timed;
using timed::activity;
using timed::deed;
using timed::next_deed;

// The root spawns n tasks that compute.
struct producer : timed::shape {
    producer(std::uint64_t tasks, timed::duration length) : n(tasks), t(length) {}
    next_deed next(activity& a, bool barrier) override {
        if (a.kind == 1) return a.step++ == 0 ? next_deed{.what = deed::work, .length = t} : next_deed{};
        if (a.count++ < n) return {.what = deed::spawn_beside, .kind = 1};
        return {.what = a.step++ == 0 && !barrier ? deed::wait : deed::end};
    }
    timed::duration poll_every(const activity&) const override { return poll; }
    std::uint64_t n;
    timed::duration t;
    timed::duration poll = 0;
};

// A binary tree of spawns that are awaited, whose leaves compute: 2^depth leaves, 2^(depth + 1) - 2 tasks.
struct awaited_tree : timed::shape {
    explicit awaited_tree(std::uint64_t levels) : depth(levels) {}
    next_deed next(activity& a, bool) override {
        const std::uint64_t below = a.kind == 0 ? depth : a.words[0];
        if (below == 0) {
            leaves += a.step == 0 ? 1 : 0;
            return a.step++ == 0 ? next_deed{.what = deed::work, .length = timed::microsecond} : next_deed{};
        }
        if (a.step++ < 2) return {.what = deed::spawn, .kind = 1, .words = {below - 1}};
        return {.what = a.step == 3 ? deed::wait : deed::end};
    }
    std::uint64_t depth;
    std::uint64_t leaves = 0;
};

// The same by forks: 2^depth leaves, as many tasks less one.
struct forked_tree : timed::shape {
    explicit forked_tree(std::uint64_t levels) : depth(levels) {}
    next_deed next(activity& a, bool) override {
        const std::uint64_t below = a.kind == 0 ? depth : a.words[0];
        if (below == 0) {
            leaves += a.step == 0 ? 1 : 0;
            return a.step++ == 0 ? next_deed{.what = deed::work, .length = timed::microsecond} : next_deed{};
        }
        switch (a.step++) {
            case 0: return {.what = deed::fork, .kind = 1, .words = {below - 1}};
            case 1: return {.what = deed::call, .kind = 1, .words = {below - 1}};
            case 2: return {.what = deed::join};
            default: return {};
        }
    }
    std::uint64_t depth;
    std::uint64_t leaves = 0;
};

// A loop, each of whose iterations computes as long as its number says.
struct single_loop : timed::shape {
    explicit single_loop(std::uint64_t iterations) : n(iterations) {}
    next_deed next(activity& a, bool) override {
        return a.step++ == 0 ? next_deed{.what = deed::loop, .words = {n}} : next_deed{};
    }
    timed::duration iteration(std::uint32_t, std::uint64_t i) override {
        ++done;
        sum += i;
        return static_cast<timed::duration>(i % 7) * unit;
    }
    std::uint64_t n;
    timed::duration unit = timed::microsecond;
    std::uint64_t done = 0, sum = 0;
};

// Phases of tasks that nobody awaits, each of which ends at a barrier, if it is to.
struct phases : timed::shape {
    phases(std::uint32_t how_many, std::uint64_t each, bool by_barriers)
        : count(how_many),
          n(each),
          spawn(by_barriers ? deed::spawn_alone : deed::spawn),
          wait(by_barriers ? deed::barrier : deed::wait) {}
    next_deed next(activity& a, bool) override {
        if (a.kind == 1) {
            if (a.step > 0) return {};
            a.step = 1;
            if (a.words[0] != phase) ++open_in_phase;
            ++done;
            return {.what = deed::work, .length = timed::microsecond};
        }
        phase = a.step;
        if (a.step == count) return {};
        if (a.count++ < n) return {.what = spawn, .kind = 1, .words = {a.step}};
        a.count = 0;
        ++a.step;
        return {.what = wait};
    }
    std::uint32_t count;
    std::uint64_t n;
    deed spawn, wait;
    std::uint64_t phase = 0, done = 0;
    std::uint64_t open_in_phase = 0;  // tasks of another phase
};

}  // namespace parley_tests
