// Loops on concurrent deques (thesis, section 5.3): divided before they run (eager), or when their worker's
// deque is empty (lazy), whoever wants the rest of it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>

#include "lab/peers/deque/pool.hpp"
#include "parley/detail/policy/block_length.hpp"

namespace parley_peers::deque_detail {

// Block is called with [from, to), for all of [0, count) in pieces.
template <class Block>
class loop {
public:
    loop(worker& self, Block& block, std::uint64_t count)
        : block_(block),
          longest_block_(count / (8 * self.home.size())),
          // As Cilk Plus has it (section 5.4.1).
          grain_(std::min<std::uint64_t>(2048, count / (8 * self.home.size()) + 1)) {}

    loop(const loop&) = delete;
    loop& operator=(const loop&) = delete;

    // Returns when all is done.
    void run(worker& self, std::uint64_t count) {
        if (self.home.split() == splitting::eager) run_halves(self, 0, count);
        else run_blocks(self, piece_to_run{0, count, initial_chunks(self)});
        self.home.work_until(self, [this] { return pending_.load(std::memory_order_acquire) == 0; });
    }

    // Whoever does the last of it calls release(whole).
    void spawn(worker& self, std::uint64_t count, void* whole, void (*release)(void*)) {
        whole_ = whole;
        release_ = release;
        offer(self, {0, count, initial_chunks(self)});
    }

private:
    struct piece_to_run {
        std::uint64_t next, end;
        std::uint32_t chunks;
    };
    struct piece : task {
        piece(loop& l, const piece_to_run& p) : task{&run_it}, of(&l), what(p) {}
        static void run_it(task* t, worker& self) {
            auto* const me = static_cast<piece*>(t);
            loop& of = *me->of;
            const piece_to_run what = me->what;
            std::destroy_at(me);
            self.memory.free(me);
            if (self.home.split() == splitting::eager) of.run_halves(self, what.next, what.end);
            else of.run_blocks(self, what);
            // A loop that run() waits for is gone afterwards, unless this was not the last piece.
            void* const whole = of.whole_;
            const auto release = of.release_;
            // Release: run(), or who releases, sees that all is done. Acquire: the latter is this worker.
            if (of.pending_.fetch_sub(1, std::memory_order_acq_rel) == 1 && whole != nullptr) release(whole);
        }
        loop* of;
        piece_to_run what;
    };
    static_assert(sizeof(piece) <= task_memory::size);

    void offer(worker& self, const piece_to_run& p) {
        pending_.fetch_add(1, std::memory_order_relaxed);
        self.queue.push(::new (self.memory.allocate()) piece(*this, p));
    }

    void run_halves(worker& self, std::uint64_t first, std::uint64_t last) {
        while (last - first > grain_) {
            const std::uint64_t middle = first + (last - first) / 2;
            offer(self, {middle, last, 2});
            last = middle;
        }
        if (!self.home.cancelling()) block_(first, last);
    }

    // Blocks are as long as Parley's: the thesis looks at the deque after each iteration, which loops of
    // nanoseconds would pay for.
    void run_blocks(worker& self, piece_to_run here) {
        using block_length = ::parley::threading::block_length;
        block_length length(longest_block_, block_length::clock::now());
        while (here.next < here.end && !self.home.cancelling()) {
            if (here.end - here.next > 1 && self.home.size() > 1 && self.queue.looks_empty()) {
                split(self, here);
            }
            const std::uint64_t from = here.next;
            here.next = from + std::min(length.at(from), here.end - from);
            block_(from, here.next);
            length.block_ends();
        }
    }

    // Figures 5.9, 5.10 and 5.12: they differ in the number of chunks, one of which the worker keeps.
    void split(worker& self, piece_to_run& here) {
        const std::uint64_t count = here.end - here.next;
        if (self.home.split() == splitting::adaptive) here.chunks = std::max(self.home.idle() + 1, here.chunks);
        const auto chunks = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, here.chunks));
        const std::uint64_t middle = here.next + count / chunks;
        offer(self, {middle, here.end, std::max(chunks - 1, 2U)});
        here.end = middle;
        here.chunks = 2;
    }

    static std::uint32_t initial_chunks(const worker& self) {
        switch (self.home.split()) {
            case splitting::guided: return std::max(self.home.size(), 2U);
            case splitting::adaptive: return std::max(self.home.idle() + 1, 2U);
            default: return 2;
        }
    }

    Block& block_;
    const std::uint64_t longest_block_;
    const std::uint64_t grain_;
    void* whole_ = nullptr;
    void (*release_)(void*) = nullptr;
    std::atomic<std::int64_t> pending_{0};  // pieces in deques or being run
};

}  // namespace parley_peers::deque_detail
