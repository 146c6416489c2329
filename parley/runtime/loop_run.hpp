// A loop over numbers 0 to n whose parts are made when somebody asks for them (TH figure 5.13).
#pragma once

#include <parley/runtime/block_length.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/scope_core.hpp>
#include <parley/runtime/splittable.hpp>
#include <parley/runtime/task.hpp>
#include <parley/runtime/worker.hpp>

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>

namespace parley::inline v0::threading {

// Block is called with [first, last) and must not be called twice with the same number. The first
// exception stops the others at their next block.
template <class Block>
class loop_run {
public:
    loop_run(worker& self, Block& block, std::uint64_t count) noexcept
        : group_(self.home, &self), block_(block), longest_block_(count / (8 * self.home.size())) {}

    // Returns when all is done. Throws the first exception.
    void run(worker& self, std::uint64_t count) {
        run_part(self, 0, count);
        group_.wait();
        if (std::exception_ptr failure = group_.take_failure())
            std::rethrow_exception(std::move(failure));
    }

private:
    // Split off and not begun.
    struct part : task {
        loop_run* of;
        std::uint64_t first, last;
    };
    static_assert(sizeof(part) <= sizeof(cell));

    // Being run.
    struct running : splittable {
        running(loop_run& l, worker& w, std::uint64_t first, std::uint64_t last) noexcept
            : splittable{&split_off_here, &prepare_here, first, last}, of(l), self(w) {
            prepare_here(*this);
            self.enter_loop(*this);
        }
        ~running() {
            self.leave_loop(*this);
            while (ready > 0) self.memory.free(memory[--ready]);
        }
        running(const running&) = delete;
        running& operator=(const running&) = delete;

        // What a split needs and may lack; without it nothing is split.
        static void prepare_here(splittable& s) noexcept {
            auto& here = static_cast<running&>(s);
            if (here.self.home.size() == 1) return;
            try {
                here.of.group_.prepare_counts(here.self);
                for (; here.ready < most_ready; ++here.ready) here.memory[here.ready] = here.self.memory.allocate();
            } catch (const std::bad_alloc&) {
            }
        }

        loop_run& of;
        worker& self;
        std::array<void*, most_ready> memory;
    };

    static task* split_off_here(splittable& from, worker& self, std::uint64_t count) noexcept {
        auto& here = static_cast<running&>(from);
        auto* const p = ::new (here.memory[--here.ready]) part;
        p->run = &run_here;
        p->of = &here.of;
        p->last = here.end;
        p->first = here.end -= count;
        here.of.group_.count_part(self);
        self.count.splits.add();
        return p;
    }

    static void run_here(task* t, worker& self) {
        auto* const p = static_cast<part*>(t);
        loop_run& loop = *p->of;
        const std::uint64_t first = p->first;
        const std::uint64_t last = p->last;
        loop.group_.before_task(self);
        self.count.tasks.add();
        self.memory.free(p);
        loop.run_part(self, first, last);
        loop.group_.count_done(self);  // the last access to the loop
    }

    void run_part(worker& self, std::uint64_t first, std::uint64_t last) noexcept {
        if (self.cancelling()) {
            group_.fail_cancelled();
            return;
        }
        running here(*this, self, first, last);
        block_length length(longest_block_, block_length::clock::now());
        try {
            while (here.next < here.end && !group_.stopped()) {
                const std::uint64_t from = here.next;
                const std::uint64_t to = here.begin(length.at(from));
                if (to == from) break;
                block_(from, to);
                length.block_ends();
                // Not before the first block: with thieves at rest, each loop of a few small iterations would be
                // given away at once, at the price of a wake-up for a microsecond's work.
                self.poll();
            }
        } catch (...) {
            group_.fail_with_current_exception();
        }
    }

    scope_core group_;
    Block& block_;
    const std::uint64_t longest_block_;
};

}  // namespace parley::inline v0::threading
