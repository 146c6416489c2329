// The iterations of a task of ASYNC_FOR (TH §5.2.2), of which idle workers get parts.
#pragma once

#include <parley/detail/driver/task.hpp>
#include <parley/detail/policy/block_length.hpp>
#include <parley/detail/runtime/loop_part.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/remaining.hpp>
#include <parley/tasking/tasking_calls.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace parley::inline v0::tasking {

struct loop_head;

// Where a loop's arguments are, and how the loop is destroyed.
struct loop_kind {
    std::size_t arguments_at;
    void (*drop)(loop_head*, threading::worker&) noexcept;
};

// The parts of one loop share this. As a task it is the part that all others are split from. It stays until the last
// part is done, because all use its arguments.
struct loop_head : threading::task {
    static constexpr std::size_t at = PARLEY_TASKING_LOOP_AT, room = PARLEY_TASKING_LOOP_ROOM;
    loop_head(parley_tasking_call c, const loop_kind& k) noexcept : task{&run_whole}, call(c), kind(k) {}

    // running_part calls these.
    void prepare_parts(const threading::worker&) noexcept {}
    void count_part(const threading::worker&) noexcept { parts.add(1); }
    static void run_here(threading::task* t, threading::worker& self) noexcept;

    const parley_tasking_call call;
    const loop_kind& kind;
    long first = 0;
    std::uint64_t count = 0;
    sync::remaining parts{1};

private:
    static void run_whole(threading::task* t, threading::worker& self) noexcept;
    // Iterations are counted from `first`. The worker that ends the last part drops the loop.
    void run_part(threading::worker& self, std::uint64_t from, std::uint64_t to, std::uint32_t chunks) noexcept;
};

// A part that is being run, in blocks of about a microsecond. Its worker looks up between two blocks. A single
// iteration is not given away.
class range {
public:
    range(loop_head& loop, threading::worker& self, std::uint64_t from, std::uint64_t to, std::uint32_t chunks) noexcept;
    [[nodiscard]] parley_tasking_block next_block() noexcept;
    // Iterations that have not begun by now never do. The task has left its loop, and its wait for children must not
    // begin them.
    void close() noexcept;

private:
    struct divisible {
        divisible(loop_head& loop, threading::worker& self, std::uint64_t from, std::uint64_t to, std::uint32_t chunks,
                  std::uint64_t longest_block) noexcept
            : left(loop, self, from, to, chunks),
              length(longest_block, left.times.begin(threading::block_length::clock::now())) {}
        threading::running_part<loop_head> left;
        threading::block_length length;
    };
    [[nodiscard]] parley_tasking_block numbers(std::uint64_t from, std::uint64_t to) const noexcept;

    const loop_head& loop_;
    const std::uint64_t from_;
    bool begun_ = false;
    std::optional<divisible> several_;
};

}  // namespace parley::inline v0::tasking
