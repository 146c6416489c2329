// A loop over numbers 0 to n whose parts are made when somebody asks for them (TH figure 5.13).
#pragma once

#include <parley/detail/base/fp_control.hpp>
#include <parley/detail/driver/task.hpp>
#include <parley/detail/policy/block_length.hpp>
#include <parley/detail/runtime/loop_part.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/scope_core.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <cstdint>
#include <exception>
#include <utility>

namespace parley::inline v0::threading {

// Block is called with [first, last), and with no number twice. The first exception stops the other parts at their next
// block.
template <class Block>
class loop_run {
public:
    loop_run(worker& self, Block& block, std::uint64_t count) noexcept
        : group_(self.home(), &self), block_(block), longest_block_(count / (8 * self.home().size())) {}

    // Returns when all numbers are done. Throws the first exception.
    void run(worker& self, std::uint64_t count) {
        const remembered_loops::name name{reinterpret_cast<const void*>(&run_here), count};
        const loop_times times = run_part(self, 0, count, self.home().size(), self.each_of(name), false);
        if (times.was_given()) self.leaves_shared_loop();
        group_.wait(awaited::loop);
        std::exception_ptr failure = group_.take_failure();
        self.loop_ends(name, failure ? loop_times{} : times);
        if (failure) std::rethrow_exception(std::move(failure));
    }

private:
    using part = loop_part<loop_run>;
    using running = running_part<loop_run>;
    friend running;

    void prepare_parts(const worker& self) { group_.prepare_counts(self); }
    void count_part(const worker& self) noexcept { group_.count_part(self); }

    static void run_here(task* t, worker& self) {
        auto* const p = static_cast<part*>(t);
        loop_run& loop = *p->of;
        const std::uint64_t first = p->first;
        const std::uint64_t last = p->last;
        const std::uint32_t chunks = p->chunks;
        const float each = p->each;
        loop.group_.before_task(self);
        self.count_task();
        self.free_cell(p);
        {
            const base::fp_in_place as_submitted(loop.fp_);
            (void)loop.run_part(self, first, last, chunks, each, true);
        }
        self.leaves_shared_loop();
        loop.group_.count_done(self);  // the last access to the loop
    }

    loop_times run_part(worker& self, std::uint64_t first, std::uint64_t last, std::uint32_t chunks, float each,
                        bool is_part) noexcept {
        if (self.cancelling()) {
            group_.fail_cancelled();
            return {};
        }
        running here(*this, self, first, last, chunks);
        if (each > 0 && !group_.stopped()) self.begins_again(here, each, is_part);
        block_length length(longest_block_, here.times.begin(block_length::clock::now()));
        try {
            while (here.next < here.end && !group_.stopped()) {
                const std::uint64_t from = here.next;
                const std::uint64_t to = here.begin(length.at(from));
                if (to == from) break;
                block_(from, to);
                here.block_ends(length);
                // Nothing is polled before the first block of a loop that nobody knows. With thieves at rest, each loop of
                // a few small iterations would be given away at once. A microsecond's work would cost a wake-up.
                if (const auto other = self.poll_in(here); other.count() > 0) here.leave_out(other, length);
            }
        } catch (...) {
            group_.fail_with_current_exception();
        }
        return here.times;
    }

    scope_core group_;
    Block& block_;
    const std::uint64_t longest_block_;
    const base::fp_control fp_ = base::fp_control::now();  // docs/guide/inheritance.md
};

// Called after a loop of one number, if somebody wants this worker. I9: such loops may follow each other for long. Throws
// `cancelled`.
void look_after_single(worker& self);

// A loop of one number has nothing to give, and is a call.
template <class Block>
void run_single(worker& self, Block& block) {
    if (self.cancelling()) throw cancelled{};
    block(std::uint64_t{0}, std::uint64_t{1});
    if (self.is_wanted()) [[unlikely]]
        look_after_single(self);
}

}  // namespace parley::inline v0::threading
