// A loop over numbers 0 to n whose parts are made when somebody asks for them (TH figure 5.13).
#pragma once

#include <parley/runtime/block_length.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/scope_core.hpp>
#include <parley/runtime/splittable.hpp>
#include <parley/runtime/task.hpp>
#include <parley/runtime/worker.hpp>

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
            : splittable{&split_off_here, first, last}, of(l), self(w) {
            prepare();
            self.loops.enter(*this);
        }
        ~running() {
            self.loops.leave(*this);
            if (memory != nullptr) self.memory.free(memory);
        }
        running(const running&) = delete;
        running& operator=(const running&) = delete;

        // What a split needs and may lack; without it nothing is split.
        void prepare() noexcept {
            has_memory = false;
            if (self.home.size() == 1) return;
            try {
                of.group_.prepare_counts(self);
                memory = self.memory.allocate();
                has_memory = true;
            } catch (const std::bad_alloc&) {
            }
        }

        loop_run& of;
        worker& self;
        void* memory = nullptr;
    };

    static task* split_off_here(splittable& from, worker& self, std::uint64_t count) noexcept {
        auto& here = static_cast<running&>(from);
        auto* const p = ::new (std::exchange(here.memory, nullptr)) part;
        p->run = &run_here;
        p->of = &here.of;
        p->last = here.end;
        p->first = here.end -= count;
        here.of.group_.count_spawned(self);  // prepared: throws nothing
        self.count.splits.add();
        here.prepare();
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
                here.next = from + std::min(length.at(from), here.end - from);
                // Before the block, as who has asked need not wait until the first one is over, which may take
                // long; but with the block taken, or else a last iteration could go from thief to thief.
                self.poll();
                block_(from, here.next);
                length.block_ends();
            }
            self.poll();
        } catch (...) {
            group_.fail_with_current_exception();
        }
    }

    scope_core group_;
    Block& block_;
    const std::uint64_t longest_block_;
};

}  // namespace parley::inline v0::threading
