#include "lab/command/sim/calibrate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <numeric>
#include <parley/detail/driver/deque.hpp>
#include <parley/detail/stacks/fiber.hpp>
#include <parley/detail/sync/mpsc.hpp>
#include <parley/detail/sync/spsc.hpp>
#include <parley/parley.hpp>
#include <span>
#include <utility>
#include <vector>

#include "command/usage.hpp"
#include "lab/command/sim/cost_file.hpp"
#include "lab/command/sim/stopwatch.hpp"
#include "lab/command/sim/two_threads.hpp"
#include "lab/programs/blocks.hpp"
#include "lab/programs/cilksort.hpp"
#include "lab/programs/nqueens.hpp"
#include "lab/programs/sha1.hpp"

namespace parley_cli {
namespace {

using parley::sim::timed::costs;
using parley::sim::timed::duration;

constexpr double most_apart = 0.25;

duration ps(double nanoseconds) { return static_cast<duration>(nanoseconds * 1000.0); }

void measure_tasks(costs& c) {
    constexpr int n = 10'000;
    parley::options how;
    how.workers = 1;
    how.broker.clear();
    parley::runtime one{how};
    const double task = each_takes(n, [&] {
        one.run([] {
            parley::scope s;
            for (int i = 0; i < n; ++i) s.spawn([] {});
            s.wait();
        });
    });
    c.push = ps(task * 0.6);
    c.pop = ps(task * 0.4);
    c.poll = ps(each_takes(n, [&] {
        one.run([] {
            for (int i = 0; i < n; ++i) parley::poll();
        });
    }));
}

void measure_deque(costs& c) {
    using namespace parley::threading;
    constexpr int n = 1000;
    std::vector<task> tasks(n);
    deque from, to;
    const auto fill = [&](deque& d) {
        for (task& t : tasks) (void)d.push(&t);
    };
    const double pushes = each_takes(n, [&] {
        fill(from);
        while (from.pop() != nullptr) {}
    });
    c.steal = ps(std::max(each_takes(n,
                                     [&] {
                                         fill(from);
                                         while (!from.empty()) keep(from.take_oldest());
                                     }) -
                              pushes / 2,
                          0.0));
    c.steal_each = ps(each_takes(n / 2,
                                 [&] {
                                     fill(from);
                                     to.receive(from.take_half());
                                     while (to.pop() != nullptr) {}
                                     while (from.pop() != nullptr) {}
                                 }) /
                      4);
    c.split = c.push;
}

struct letter {
    letter* next = nullptr;
};

void measure_channels(costs& c) {
    constexpr int n = 10'000;
    parley::sync::mpsc<letter, &letter::next> box;
    letter one;
    const double both = each_takes(n, [&] {
        for (int i = 0; i < n; ++i) {
            keep(box.send(&one));
            keep(box.receive());
        }
    });
    c.peek = ps(each_takes(n, [&] {
        for (int i = 0; i < n; ++i) keep(box.receive());
    }));
    c.send_request = c.receive_request = ps(both / 2);
    parley::sync::spsc_slot<letter> slot;
    const double answer = each_takes(n, [&] {
        for (int i = 0; i < n; ++i) {
            slot.send(&one);
            keep(slot.receive());
        }
    });
    c.send_tasks = c.receive_tasks = ps(answer / 2);
    std::atomic<std::uint32_t> word{0};
    c.exchange = ps(each_takes(n, [&] {
        for (int i = 0; i < n; ++i) keep(word.fetch_or(1));
    }));
    const double clock = each_takes(n, [&] {
        for (int i = 0; i < n; ++i) keep(stopwatch::now());
    });
    c.turn = ps(clock / 8) + 2 * c.peek + c.poll;
    c.block = ps(clock / 8) + c.poll;
}

struct two_stacks {
    parley::threading::fiber mine;
    parley::threading::fiber other{0, &back_and_forth, this};
    static void back_and_forth(void* self) noexcept {
        auto& both = *static_cast<two_stacks*>(self);
        for (;;) both.other.switch_to(both.mine);
    }
};

void measure_stacks(costs& c) {
    constexpr int n = 10'000;
    const auto both = std::make_unique<two_stacks>();
    c.suspend = ps(each_takes(2 * n, [&] {
        for (int i = 0; i < n; ++i) both->mine.switch_to(both->other);
    }));
}

void measure_programs(costs& c) {
    using namespace parley_programs;
    constexpr std::uint32_t hashes = 10'000;
    with_best_sha1([&]<class Hash>(Hash) {
        sha1_digest state{};
        c.work.uts_node = ps(each_takes(hashes, [&] {
            for (std::uint32_t i = 0; i < hashes; ++i) state = Hash::child(state, i);
        }));
        keep(state);
    });
    chess_board board{{0, 2, 4, 6, 1, 3}, 6, 12};
    c.work.queens_square = ps(each_takes(12'000 * 6, [&] {
        for (unsigned i = 0; i < 12'000; ++i) {
            board.column[0] = static_cast<std::uint8_t>(i % 3);
            keep(board.allows(i % 12));
        }
    }));
    constexpr std::size_t size = 32;
    std::vector<double> block(size * size, 1.0), row(size, 1.0), factors(size, 1e-9);
    c.work.multiply_add = ps(each_takes(100.0 * size * size, [&] {
        for (int i = 0; i < 100; ++i) add_products(row.data(), factors.data(), block.data(), size, size);
    }));
}

// Two halves are sorted, then merged. Neither is a difference, which a busy machine may make negative.
void measure_sorting(costs& c) {
    using namespace parley_programs;
    constexpr std::size_t n = 2048;
    constexpr std::uint64_t trials = 50;  // of other numbers each: branches that repeat are foreseen
    std::vector<sort_element> elements(2 * n), merged(2 * n);
    const std::span<sort_element> all(elements);
    std::vector<double> sorts, merges;
    for (std::uint64_t trial = 1; trial <= trials; ++trial) {
        fill_with_elements(elements, trial);
        const auto begin = stopwatch::now();
        quick_sort(all.first(n));
        quick_sort(all.last(n));
        sorts.push_back(nanoseconds_since(begin) / (2 * n));
        const auto sorted = stopwatch::now();
        merge_serially(all.first(n), all.last(n), merged.data());
        merges.push_back(nanoseconds_since(sorted) / (2 * n));
    }
    c.work.sort_compare = ps(median(std::move(sorts)) / 11);
    c.work.merge_element = ps(median(std::move(merges)));
}

costs measure() {
    costs c;
    c.name = "this-machine";
    c.places = {1, 1, std::max(1u, parley::available_processors().affinity), 1};
    measure_tasks(c);
    measure_deque(c);
    measure_channels(c);
    measure_stacks(c);
    measure_programs(c);
    measure_sorting(c);
    const between_threads t = measure_two_threads();
    c.line.core = c.line.node = c.line.socket = c.line.machine = ps(t.line);
    c.sleep = ps(t.sleep);
    c.wake = ps(t.wake);
    c.wake_delay = ps(t.wake_delay);
    c.signal = ps(t.signal);
    c.handler = ps(t.handler);
    c.signal_delay = ps(t.signal + t.handler);
    if (t.change > 0) c.switch_thread = ps(t.change);
    if (t.apart > most_apart) {
        fmt::print(
            stderr,
            "parley sim --calibrate: the machine is busy: of two threads one had no processor in {:.0f}% of the time, so "
            "costs between threads are too high; calibrate again when nothing else runs\n",
            100 * t.apart);
    }
    return c;
}

}  // namespace

int calibrate(const std::string& file) {
    const bool to_output = file == "-";
    std::FILE* const out = to_output ? stdout : std::fopen(file.c_str(), "we");
    if (out == nullptr) {
        throw usage_error(
            fmt::format("parley sim --calibrate: {} cannot be written ({}); allowed: a file, or - for standard "
                        "output",
                        shown(file), std::strerror(errno)));
    }
    const std::string text =
        text_of(measure(),
                "measured by parley sim --calibrate: medians of 11 to 50 trials; of line_ns the best of 400. All processors "
                "count as equally "
                "near, and as cores of one thread: edit topology, thread_percent and line_ns where that is not so. "
                "Without a second processor line_ns is 0.");
    const bool written = std::fputs(text.c_str(), out) >= 0;
    const bool closed = to_output ? std::fflush(out) == 0 : std::fclose(out) == 0;
    if (!written || !closed) throw std::runtime_error("cannot write " + file);
    return exit_status::succeeded;
}

}  // namespace parley_cli
