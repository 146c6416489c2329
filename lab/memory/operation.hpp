// What a thread is about to do: an operation on an atomic, a fence, or a wait.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <source_location>

namespace parley::memory {

enum class does : std::uint8_t {
    load,
    store,
    exchange,
    add,
    subtract,
    set_bits,
    keep_bits,
    compare_exchange,
    fence,
    light_fence,
    lock,    // reads 0 and writes 1; waits as long as it is 1
    queue,   // in the kernel: this thread waits for a word
    leave,   // the queue
    wake,    // the first `operand` threads of the queue
    sleep,   // waits as long as this thread is in the queue
    repeat,  // a look that found nothing, whose events follow the first `operand` of this thread
};

struct operation {
    does what = does::fence;
    std::uintptr_t address = 0;
    std::uint8_t bytes = 0;  // 0: no memory of the program
    std::memory_order order = std::memory_order_relaxed;
    std::memory_order failure = std::memory_order_relaxed;  // of a compare_exchange
    std::uint64_t operand = 0;
    std::uint64_t expected = 0;
    std::source_location site = {};
};

[[nodiscard]] inline bool is_fence(const operation& o) noexcept {
    return o.what == does::fence || o.what == does::light_fence;
}
[[nodiscard]] bool reads(const operation&) noexcept;
// What it writes if it has read `seen`. Nothing: it does not write.
[[nodiscard]] std::optional<std::uint64_t> written(const operation&, std::uint64_t seen) noexcept;
// Has a thread to wait that has read `seen`?
[[nodiscard]] bool waits(const operation&, std::uint64_t seen) noexcept;
[[nodiscard]] std::memory_order read_order(const operation&, std::uint64_t seen) noexcept;

[[nodiscard]] const char* name_of(does what) noexcept;
[[nodiscard]] const char* name_of(std::memory_order order) noexcept;

}  // namespace parley::memory
