// A role that one of several parties has, or nobody.
//
// For `I begin to do something; does anybody have the role?` against `I give it up; does anybody do something?`:
// both change the word by read-modify-writes. If is_taken() comes first in its modification order, whoever
// gives the role up acquires what was done before; else is_taken() says that nobody has it.
#pragma once

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class role {
public:
    // True: `who` has it now, or had it before.
    [[nodiscard]] bool take(std::uint32_t who) noexcept {
        std::uint32_t seen = nobody;
        return holder_.compare_exchange_strong(seen, who + 1, std::memory_order_acq_rel, std::memory_order_relaxed) ||
               seen == who + 1;
    }

    // If `who` has it.
    void give_up(std::uint32_t who) noexcept {
        std::uint32_t seen = who + 1;
        holder_.compare_exchange_strong(seen, nobody, std::memory_order_acq_rel, std::memory_order_relaxed);
    }

    // Adding zero instead of loading: see above.
    [[nodiscard]] bool is_taken() noexcept { return holder_.fetch_add(0, std::memory_order_acq_rel) != nobody; }

private:
    static constexpr std::uint32_t nobody = 0;
    std::atomic<std::uint32_t> holder_{nobody};
};

}  // namespace parley::inline v0::sync
