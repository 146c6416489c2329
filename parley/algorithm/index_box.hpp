// Boxes of indices: ranges of integers in two and three dimensions.
#pragma once

#include <parley/algorithm/index_range.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace parley::inline v0::detail {

// The value of an integer of any type: its bits modulo 2^64, and its sign.
struct integer_of_any_type {
    std::uint64_t bits = 0;
    bool is_negative = false;

    friend constexpr bool operator<(integer_of_any_type a, integer_of_any_type b) noexcept {
        return a.is_negative != b.is_negative ? a.is_negative : a.bits < b.bits;
    }
};

// A pair of braces converts to this if its integers differ in type. If they do not, an array is a better match.
template <std::size_t N>
class integers_of_at_most_64_bits {
public:
    template <integer_of_at_most_64_bits... I>
        requires(sizeof...(I) == N)
    constexpr integers_of_at_most_64_bits(I... values) noexcept  // NOLINT: not explicit
        : values_{integer_of_any_type{static_cast<std::uint64_t>(values), less(values, 0)}...} {}

    constexpr integer_of_any_type operator[](std::size_t d) const noexcept { return values_[d]; }

private:
    std::array<integer_of_any_type, N> values_;
};

constexpr std::uint64_t count_between(integer_of_any_type first, integer_of_any_type last) {
    if (!(first < last)) return 0;
    if (first.is_negative && !last.is_negative && last.bits >= first.bits) throw_too_many_indices();
    return last.bits - first.bits;
}

template <std::integral I>
constexpr std::uint64_t place_of(I i) noexcept {
    return static_cast<std::uint64_t>(i);
}
constexpr std::uint64_t place_of(integer_of_any_type i) noexcept { return i.bits; }

// The compiler knows these zeros. With an unknown corner, a loop that fills a grid took twice as long.
struct zeros {
    constexpr std::uint64_t operator[](std::size_t) const noexcept { return 0; }
};

// A corner modulo 2^64, and the number of indices from it in each dimension.
template <std::size_t N, class First = std::array<std::uint64_t, N>>
struct index_box {
    First first;
    std::array<std::uint64_t, N> lengths;

    // The number of places in the box. Throws usage_error for more than 2^64 - 1.
    [[nodiscard]] constexpr std::uint64_t count() const {
        std::uint64_t product = 1;
        if (std::ranges::find(lengths, 0U) != lengths.end()) return 0;
        for (const std::uint64_t length : lengths)
            if (__builtin_mul_overflow(product, length, &product)) throw_too_many_indices();
        return product;
    }
};

// The box between two corners: arrays of integers, or integers_of_at_most_64_bits.
template <std::size_t N, class First, class Last>
constexpr index_box<N> box_between(const First& first, const Last& last) {
    index_box<N> box{};
    for (std::size_t d = 0; d < N; ++d) {
        box.first[d] = place_of(first[d]);
        box.lengths[d] = count_between(first[d], last[d]);
    }
    return box;
}

template <std::size_t N, class Lengths>
constexpr index_box<N, zeros> box_from_zero(const Lengths& lengths) {
    index_box<N, zeros> box{};
    for (std::size_t d = 0; d < N; ++d)
        box.lengths[d] = count_between(std::remove_cvref_t<decltype(lengths[d])>{}, lengths[d]);
    return box;
}

// Calls row(r, first, last) for each row of `places` places that [from, to) has a part of.
template <class Row>
void for_rows(std::uint64_t from, std::uint64_t to, std::uint64_t places, Row&& row) {
    for (std::uint64_t r = from / places, first = from % places; from < to; ++r, first = 0) {
        const std::uint64_t last = std::min(places, first + (to - from));
        row(r, first, last);
        from += last - first;
    }
}

// Calls body(i, j) for the places [from, to) of a box. The last index moves fastest. The box is a copy, so that the
// body's stores cannot change it and the compiler keeps it in registers.
template <class Index, class First, class Body>
void call_for_places(const index_box<2, First> box, std::uint64_t from, std::uint64_t to, Body& body) {
    for_rows(from, to, box.lengths[1], [&](std::uint64_t r, std::uint64_t j, std::uint64_t end) {
        const auto row = static_cast<Index>(box.first[0] + r);
        for (; j != end; ++j) body(Index(row), static_cast<Index>(box.first[1] + j));
    });
}
template <class Index, class First, class Body>
void call_for_places(const index_box<3, First> box, std::uint64_t from, std::uint64_t to, Body& body) {
    for_rows(from, to, box.lengths[2], [&](std::uint64_t r, std::uint64_t k, std::uint64_t end) {
        const auto plane = static_cast<Index>(box.first[0] + r / box.lengths[1]);
        const auto row = static_cast<Index>(box.first[1] + r % box.lengths[1]);
        for (; k != end; ++k) body(Index(plane), Index(row), static_cast<Index>(box.first[2] + k));
    });
}

}  // namespace parley::inline v0::detail
