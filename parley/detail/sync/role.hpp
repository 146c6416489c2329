// A role that one of several threads has, or nobody.
//
// Thread A does `begin something; does anybody have the role?`, and B does `give the role up; has anybody begun
// something?`. Both change the word by read-modify-writes. If is_taken() comes first in its modification order, B
// acquires what A did before. Otherwise is_taken() says that nobody has the role.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class role {
public:
    // True: `who` has the role now, or had it before.
    [[nodiscard]] bool take(std::uint32_t who) noexcept {
        std::uint32_t seen = nobody;
        return holder_.compare_exchange_strong(seen, who + 1, std::memory_order_acq_rel, std::memory_order_relaxed) ||
               seen == who + 1;
    }

    // Gives the role up. Does nothing if `who` does not have it.
    void give_up(std::uint32_t who) noexcept {
        std::uint32_t seen = who + 1;
        holder_.compare_exchange_strong(seen, nobody, std::memory_order_acq_rel, std::memory_order_relaxed);
    }

    // Adds zero instead of loading, so that it has a place in the modification order.
    [[nodiscard]] bool is_taken() noexcept { return holder_.fetch_add(0, std::memory_order_acq_rel) != nobody; }

private:
    static constexpr std::uint32_t nobody = 0;
    atomic<std::uint32_t> holder_{nobody};
};

}  // namespace parley::inline v0::sync
