// Who waits for a result, in one word: nobody, one waiter by its number, a set of several; or that the result is there.
#pragma once

#include <cstdint>

namespace parley::inline v0::base {

struct completion_word {
    static constexpr std::uint32_t nobody = 0;
    // A set has 30 kinds, so it is never this.
    static constexpr std::uint32_t done = ~std::uint32_t{0};

    // Whom to wake. Of several, a number stands for all that are as much modulo `kinds` as it is: those among them that
    // do not wait are woken in vain, and nobody is forgotten.
    class woken {
    public:
        static constexpr std::uint32_t kinds = 30;

        explicit constexpr woken(std::uint32_t word) noexcept : word_(word) {}
        [[nodiscard]] constexpr bool nobody() const noexcept { return word_ == completion_word::nobody; }
        [[nodiscard]] constexpr bool several() const noexcept { return (word_ & set) != 0; }
        // Unless there are several.
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

    // What a word that is not `done` becomes when one more waits, by a number below 2^31 that is not `nobody`.
    [[nodiscard]] static constexpr std::uint32_t with(std::uint32_t before, std::uint32_t waiter) noexcept {
        if (before == nobody || before == waiter) return waiter;
        const std::uint32_t others = (before & woken::set) != 0 ? before : woken::set | woken::kind_of(before);
        return others | woken::kind_of(waiter);
    }
};

}  // namespace parley::inline v0::base
