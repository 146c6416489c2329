// One operation with another order than the code says, to see whether anything notices.
#pragma once

#include <lab/memory/operation.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace parley::memory {

struct weakening {
    std::string file;  // its path may begin in any folder above
    std::uint32_t line = 0;
    std::uint32_t column = 0;  // 0: every operation of the line
    std::memory_order order = std::memory_order_relaxed;
    bool of_failure = false;  // of a compare_exchange that fails
};

// "FILE:LINE[:COLUMN]=ORDER", or "...=failure:ORDER". Throws std::invalid_argument.
[[nodiscard]] weakening weakening_of(const std::string& text);

// From now on, in all executions.
void set_weakening(std::optional<weakening> which);
// Has any operation been weakened since then?
[[nodiscard]] bool was_weakened() noexcept;

[[nodiscard]] operation weakened(operation o) noexcept;

}  // namespace parley::memory
