#include <parley/tasking/range.hpp>

#include <parley/tasking/complain.hpp>
#include <parley/tasking/frame.hpp>
#include <parley/tasking/record.hpp>
#include <parley/tasking/session.hpp>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace parley::inline v0::tasking {

range::range(loop_head& loop, threading::worker& self, std::uint64_t from, std::uint64_t to, std::uint32_t chunks) noexcept
    : loop_(loop), from_(from) {
    if (to - from > 1) several_.emplace(loop, self, from, to, chunks, loop.count / (8 * self.home().size()));
}

// The numbers may be negative, and more apart than a long holds.
parley_tasking_block range::numbers(std::uint64_t from, std::uint64_t to) const noexcept {
    const auto first = static_cast<std::uint64_t>(loop_.first);
    return {static_cast<long>(first + from), static_cast<long>(first + to)};
}

parley_tasking_block range::next_block() noexcept {
    const bool is_first = !std::exchange(begun_, true);
    if (!several_) return is_first ? numbers(from_, from_ + 1) : parley_tasking_block{0, 0};
    threading::running_part<loop_head>& left = several_->left;
    if (!is_first) {
        left.block_ends(several_->length);
        if (const auto other = left.self.serve_in(left); other.count() > 0) left.leave_out(other, several_->length);
    }
    const std::uint64_t from = left.next;
    if (from >= left.end) return {0, 0};
    return numbers(from, left.begin(several_->length.at(from)));
}

void range::close() noexcept {
    if (!several_) return;
    threading::running_part<loop_head>& left = several_->left;
    (void)left.begin(left.end - left.next);
}

void loop_head::run_whole(threading::task* t, threading::worker& self) noexcept {
    auto* const me = static_cast<loop_head*>(t);
    me->run_part(self, 0, me->count, self.home().size());
}

void loop_head::run_here(threading::task* t, threading::worker& self) noexcept {
    auto* const p = static_cast<threading::loop_part<loop_head>*>(t);
    loop_head& loop = *p->of;
    const std::uint64_t from = p->first;
    const std::uint64_t to = p->last;
    const std::uint32_t chunks = p->chunks;
    self.free_cell(p);
    loop.run_part(self, from, to, chunks);
}

void loop_head::run_part(threading::worker& self, std::uint64_t from, std::uint64_t to, std::uint32_t chunks) noexcept {
    self.turn_away();
    self.count_task();
    {
        range mine(*this, self, from, to, chunks);
        call_alone(self, call, reinterpret_cast<std::byte*>(this) + kind.arguments_at, &mine);
    }
    if (parts.done()) kind.drop(this, self);
}

namespace {

template <size S>
struct loop_record {
    using type = record<loop_head, S>;
    static void drop(loop_head* l, threading::worker& self) noexcept { type::drop(static_cast<type*>(l), self); }
    static constexpr loop_kind kind{type::at, &drop};
};

template <size S>
void* make_loop(parley_tasking_call call, std::size_t bytes) noexcept {
    return make_record<record<loop_head, S>>(this_worker("ASYNC_FOR"), bytes, call, loop_record<S>::kind);
}

}  // namespace
}  // namespace parley::inline v0::tasking

using namespace parley;  // NOLINT(google-build-using-namespace): what follows has C's names

extern "C" {

void* parley_tasking_small_loop(parley_tasking_call call) { return tasking::make_loop<tasking::size::small>(call, 0); }
void* parley_tasking_large_loop(parley_tasking_call call, size_t bytes) {
    return tasking::make_loop<tasking::size::large>(call, bytes);
}

void parley_tasking_queue_loop(void* task, long first, long last) {
    auto* const loop = static_cast<tasking::loop_head*>(task);
    threading::worker& self = *threading::current;
    if (first >= last) return loop->kind.drop(loop, self);
    loop->first = first;
    loop->count = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    tasking::queue(self, loop);
}

long parley_tasking_after(long i) {
    if (i == LONG_MAX) tasking::complain("ASYNC_FOR_SINGLE(f, %ld): loops end before the last number of a long", i);
    return i + 1;
}

parley_tasking_block parley_tasking_next_block(void) {
    const threading::worker& self = tasking::this_worker("for_each_task");
    const tasking::task_frame* const here = tasking::task_frame::of(self);
    if (here == nullptr || here->iterations == nullptr)
        tasking::complain("for_each_task in a task that is none of ASYNC_FOR");
    return here->iterations->next_block();
}

}  // extern "C"
