// One word says who waits for a result: nobody, one waiter by its number, or a set of several. Or it says that the
// result is there.
#pragma once

#include <cstdint>

namespace parley::inline v0::base {

struct completion_word {
    static constexpr std::uint32_t nobody = 0;
    // No set has this value, since a set has only 30 kinds.
    static constexpr std::uint32_t done = ~std::uint32_t{0};
    // The set of all waiters.
    static constexpr std::uint32_t everybody = done & ~(std::uint32_t{1} << 30);

    // Whom to wake. In a set of several waiters a number stands for all numbers that are equal to it modulo `kinds`. So
    // some are woken in vain, and none is forgotten.
    class woken {
    public:
        static constexpr std::uint32_t kinds = 30;

        explicit constexpr woken(std::uint32_t word) noexcept : word_(word) {}
        [[nodiscard]] constexpr bool nobody() const noexcept { return word_ == completion_word::nobody; }
        [[nodiscard]] constexpr bool several() const noexcept { return (word_ & set) != 0; }
        // The number of the single waiter. There must not be several.
        [[nodiscard]] constexpr std::uint32_t the_one() const noexcept { return word_; }
        [[nodiscard]] constexpr bool has(std::uint32_t waiter) const noexcept {
            return several() ? (word_ & kind_of(waiter)) != 0 : word_ == waiter;
        }

    private:
        friend struct completion_word;
        static constexpr std::uint32_t set = std::uint32_t{1} << 31;
        static constexpr std::uint32_t kind_of(std::uint32_t waiter) noexcept { return std::uint32_t{1} << waiter % kinds; }

        std::uint32_t word_;
    };

    // Returns the word after one more waiter has come. `before` is not `done`. `waiter` is below 2^31 and not `nobody`.
    [[nodiscard]] static constexpr std::uint32_t with(std::uint32_t before, std::uint32_t waiter) noexcept {
        if (before == nobody || before == waiter) return waiter;
        const std::uint32_t others = (before & woken::set) != 0 ? before : woken::set | woken::kind_of(before);
        return others | woken::kind_of(waiter);
    }
};

}  // namespace parley::inline v0::base
