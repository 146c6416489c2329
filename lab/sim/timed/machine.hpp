// Where the workers sit, how far they are from each other, and how fast each of them is.
#pragma once

#include <lab/sim/timed/costs.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace parley::inline v0::sim::timed {

// Workers fill the cores in order; with more workers than cores, neighbours share one. A machine that has too few
// places for them gets more sockets of the same kind. If workers take turns on fewer places (shared_cores.hpp), each
// keeps its lines in one of these, wherever it runs.
class machine {
public:
    machine(const costs& c, std::uint32_t workers) : machine(c, workers, workers) {}
    machine(const costs& c, std::uint32_t all_workers, std::uint32_t places) : costs_(c) {
        const topology& t = c.places;
        const std::uint32_t workers = std::min(all_workers, places);
        const std::uint32_t cores = t.sockets * t.nodes_per_socket * t.cores_per_node;
        const std::uint32_t used =
            std::max(std::min(workers, cores), (workers + t.threads_per_core - 1) / t.threads_per_core);
        const std::vector<std::uint32_t>& at_work = c.work_percent.empty() ? c.thread_percent : c.work_percent;
        core_of_.reserve(all_workers);
        for (std::uint32_t core = 0; core < used; ++core) {
            const std::uint32_t threads = workers / used + (core < workers % used ? 1 : 0);
            for (std::uint32_t i = 0; i < threads; ++i) {
                core_of_.push_back(core);
                percent_.push_back(c.thread_percent[threads - 1]);
                work_percent_.push_back(at_work[threads - 1]);
            }
        }
        for (std::uint32_t w = workers; w < all_workers; ++w) {
            core_of_.push_back(core_of_[w - workers]);
            percent_.push_back(percent_[w - workers]);
            work_percent_.push_back(work_percent_[w - workers]);
        }
    }

    // 0: the same place, 1: core, 2: NUMA node, 3: socket, 4: machine.
    [[nodiscard]] std::uint32_t distance(std::uint32_t a, std::uint32_t b) const noexcept {
        if (a == b) return 0;
        if (core_of_[a] == core_of_[b]) return 1;
        const std::uint32_t node_a = core_of_[a] / costs_.places.cores_per_node;
        const std::uint32_t node_b = core_of_[b] / costs_.places.cores_per_node;
        if (node_a == node_b) return 2;
        return node_a / costs_.places.nodes_per_socket == node_b / costs_.places.nodes_per_socket ? 3 : 4;
    }
    [[nodiscard]] duration transfer(std::uint32_t from, std::uint32_t to) const noexcept {
        switch (distance(from, to)) {
            case 0: return 0;
            case 1: return costs_.line.core;
            case 2: return costs_.line.node;
            case 3: return costs_.line.socket;
            default: return costs_.line.machine;
        }
    }

    // What takes `d` on a core of its own.
    [[nodiscard]] duration on(std::uint32_t worker, duration d) const noexcept { return at(percent_[worker], d); }
    // The same, of a task that really computes.
    [[nodiscard]] duration at_work(std::uint32_t worker, duration d) const noexcept { return at(work_percent_[worker], d); }
    // A slow core, in percent of what it should be.
    void slow_down(std::uint32_t worker, std::uint32_t percent) noexcept {
        for (auto* const p : {&percent_[worker], &work_percent_[worker]})
            *p = std::max<std::uint32_t>(*p * percent / 100, 1);
    }

    [[nodiscard]] const costs& cost() const noexcept { return costs_; }

private:
    // Rounded up: so many pieces of a whole are never less than the whole.
    static duration at(std::uint32_t percent, duration d) noexcept {
        return percent == 100 ? d : (d * 100 + percent - 1) / percent;
    }

    costs costs_;
    std::vector<std::uint32_t> core_of_;
    std::vector<std::uint32_t> percent_, work_percent_;
};

// A cache line that moves to whoever touches it: one transfer at a time, each from where it went last.
struct cache_line {
    std::uint32_t holder = 0;
    moment free_at = 0;
};

// One that many read and few write: each reader has a copy until somebody writes.
struct shared_line {
    explicit shared_line(std::uint32_t workers) : seen(workers, 0) {}
    cache_line line;
    std::uint32_t version = 0;
    std::vector<std::uint32_t> seen;
};

}  // namespace parley::inline v0::sim::timed
