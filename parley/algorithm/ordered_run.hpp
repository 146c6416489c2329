// A loop over the numbers 0 to n. Its parts are made when somebody asks for them, as those of loop_run. It remembers
// them in the order of their numbers, for work that adds something up in each part.
#pragma once

#include <parley/detail/base/fp_control.hpp>
#include <parley/detail/driver/task.hpp>
#include <parley/detail/policy/block_length.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/scope_core.hpp>
#include <parley/detail/runtime/splittable.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/trace/happening.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace parley::inline v0::detail {

// work.block(state, from, to) is called for the blocks of each part, from left to right, with the part's own state. If
// it returns false, the part ends. The first exception stops all other parts at their next block.
template <class Work>
class ordered_run {
public:
    using state = typename Work::state;
    static_assert(std::is_nothrow_default_constructible_v<state>);  // made while a thief waits

    // A part is the task that runs it and the place for its result. The list of parts needs no lock. A new part lies
    // right of the one that it was split from, and only the worker that runs a part changes its `next`.
    struct part : threading::task {
        ordered_run* of = nullptr;
        part* next = nullptr;
        std::uint64_t first = 0;
        std::uint64_t last = 0;  // after it was run: how far it came
        std::uint32_t chunks = 2;
        float each = 0;  // nanoseconds per iteration; 0: not known
        state own;
    };

    ordered_run(threading::worker& self, Work& work, std::uint64_t count)
        : group_(self.home(), &self), work_(work), longest_block_(count / (8 * self.home().size())) {
        leftmost_.of = this;
        leftmost_.last = count;
        leftmost_.chunks = self.home().size();
    }
    ~ordered_run() {
        for (part* p = leftmost_.next; p != nullptr;) delete std::exchange(p, p->next);
    }
    ordered_run(const ordered_run&) = delete;
    ordered_run& operator=(const ordered_run&) = delete;

    // Returns when all is done. Throws the first exception.
    void run(threading::worker& self) {
        const threading::remembered_loops::name name{reinterpret_cast<const void*>(&run_here), leftmost_.last};
        if constexpr (!requires { Work::may_stop; }) leftmost_.each = self.each_of(name);
        const threading::loop_times times = run_part(self, leftmost_);
        if (times.was_given()) self.leaves_shared_loop();
        group_.wait(threading::awaited::loop);
        std::exception_ptr failure = group_.take_failure();
        self.loop_ends(name, failure ? threading::loop_times{} : times);
        if (failure) std::rethrow_exception(std::move(failure));
    }

    // Part 0 begins in the calling worker, and never moves to another one.
    [[nodiscard]] part& leftmost() noexcept { return leftmost_; }

private:
    struct running : threading::splittable {
        running(threading::worker& w, part& p) noexcept
            : splittable{&split_off_here, &prepare_here, p.first, p.last, p.chunks}, self(w), here(p) {
            prepare_here(*this);
            // Each part keeps its first iteration, whatever interrupts it, because its state is made of that.
            (void)begin(1);
            self.enter_loop(*this);
        }
        ~running() {
            self.leave_loop(*this);
            while (ready > 0) delete spare[--ready];
        }
        running(const running&) = delete;
        running& operator=(const running&) = delete;

        // Prepares what a split needs. Without memory nothing is split.
        static void prepare_here(threading::splittable& s) noexcept {
            auto& victim = static_cast<running&>(s);
            if (victim.self.home().size() == 1) return;
            try {
                victim.here.of->group_.prepare_counts(victim.self);
                for (; victim.ready < most_ready; ++victim.ready) victim.spare[victim.ready] = new part;
            } catch (const std::bad_alloc&) {}
        }

        threading::worker& self;
        part& here;
        std::array<part*, most_ready> spare;
    };

    static threading::task* split_off_here(threading::splittable& from, threading::worker& self, protocol::cut c) noexcept {
        auto& victim = static_cast<running&>(from);
        part* const p = victim.spare[--victim.ready];
        p->run = &run_here;
        p->of = victim.here.of;
        p->next = std::exchange(victim.here.next, p);
        p->last = victim.end;
        p->first = victim.end -= c.share;
        p->chunks = c.chunks;
        p->each = victim.times.each();
        victim.chunks = 2;
        p->of->group_.count_part(self);
        self.count_split();
        self.note(trace::happening::split, c.share);
        return p;
    }

    static void run_here(threading::task* t, threading::worker& self) {
        auto* const p = static_cast<part*>(t);
        ordered_run& loop = *p->of;
        loop.group_.before_task(self);
        self.count_task();
        {
            const base::fp_in_place as_submitted(loop.fp_);
            (void)loop.run_part(self, *p);
        }
        self.leaves_shared_loop();
        loop.group_.count_done(self);  // the last access to the loop and to the part
    }

    // Returns nothing of a part that stopped early: it tells nothing of what sharing costs.
    threading::loop_times run_part(threading::worker& self, part& p) noexcept {
        if (self.cancelling()) {
            group_.fail_cancelled();
            return {};
        }
        running here(self, p);
        if (p.each > 0 && !group_.stopped()) self.begins_again(here, p.each, &p != &leftmost_);
        threading::block_length length(longest_block_, here.times.begin(threading::block_length::clock::now()));
        std::uint64_t from = p.first;
        bool more = true;
        try {
            for (std::uint64_t to = here.next; from < to && !group_.stopped(); to = here.begin(length.at(from))) {
                more = work_.block(p.own, from, to);
                from = to;
                if (!more) here.end = here.next;  // nobody else may have the rest
                here.block_ends(length);
                if (const auto other = self.poll_in(here); other.count() > 0) here.leave_out(other, length);
            }
        } catch (...) {
            group_.fail_with_current_exception();
        }
        p.last = from;
        return more ? here.times : threading::loop_times{};
    }

    threading::scope_core group_;
    Work& work_;
    const std::uint64_t longest_block_;
    const base::fp_control fp_ = base::fp_control::now();  // docs/guide/inheritance.md
    part leftmost_;
};

}  // namespace parley::inline v0::detail
