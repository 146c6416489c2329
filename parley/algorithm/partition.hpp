/// @file
/// Moves elements that a predicate holds for before all others: partition and stable_partition.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/ordered_run.hpp>
#include <parley/algorithm/partition_in_parts.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/algorithm/small_sort.hpp>
#include <parley/loop.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0 {

namespace detail {

// Each part is partitioned by itself, from left to right: what goes left lies in [first, border).
template <class In, class GoesLeft>
struct partitioning {
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    struct state {
        std::uint64_t first = none;
        std::uint64_t border = none;
    };

    bool block(state& mine, std::uint64_t from, std::uint64_t to) {
        if (mine.first == none) mine = {from, from};
        called_in_block<GoesLeft, std::iter_reference_t<In>> own = goes_left;
        const In end = iterator_at(in, to);
        In border = iterator_at(in, mine.border);
        for (In i = iterator_at(in, from); i != end; ++i) {
            using value = std::iter_value_t<In>;
            if constexpr (moved_without_branches<value>) {
                const bool left = std::invoke(own, *i);
                const value v = *i;
                *i = *border;
                *border = v;
                border += left ? 1 : 0;
            } else if (std::invoke(own, *i)) {
                if (i != border) std::iter_swap(i, border);
                ++border;
            }
        }
        mine.border = static_cast<std::uint64_t>(border - in);
        return true;
    }

    In in;
    GoesLeft& goes_left;
};

// Moves what does not go left into a buffer, at the places that it has in the range. What goes left moves together at the
// beginning of each part. When all parts are done, the rest comes back behind it.
template <class In, class GoesLeft>
class stable_partitioning {
public:
    using value = std::iter_value_t<In>;
    static_assert(std::is_nothrow_move_constructible_v<value> && std::is_nothrow_move_assignable_v<value>);

    static constexpr std::uint64_t none = ~std::uint64_t{0};
    // Element first + k of the buffer is the k-th one that does not go left.
    struct state {
        std::uint64_t first = none;
        std::uint64_t border = none;
        std::uint64_t in_buffer = 0;
    };

    stable_partitioning(In in, std::uint64_t count, GoesLeft& goes_left)
        : in_(in), count_(count), goes_left_(goes_left), buffer_(std::allocator<value>().allocate(count)) {}
    ~stable_partitioning() { std::allocator<value>().deallocate(buffer_, count_); }
    stable_partitioning(const stable_partitioning&) = delete;
    stable_partitioning& operator=(const stable_partitioning&) = delete;

    // The state holds after each element, because goes_left may throw.
    bool block(state& mine, std::uint64_t from, std::uint64_t to) {
        if (mine.first == none) mine = {from, from, 0};
        called_in_block<GoesLeft, std::iter_reference_t<In>> own = goes_left_;
        for (; from != to; ++from) {
            value& here = element_at(in_, from);
            if (std::invoke(own, here)) {
                if (mine.border != from) element_at(in_, mine.border) = std::move(here);
                ++mine.border;
            } else {
                std::construct_at(buffer_ + mine.first + mine.in_buffer, std::move(here));
                ++mine.in_buffer;
            }
        }
        return true;
    }

    // Returns the border.
    std::uint64_t run(threading::worker& self) {
        ordered_run<stable_partitioning> loop(self, *this, count_);
        try {
            loop.run(self);
        } catch (...) {
            for (auto* p = &loop.leftmost(); p != nullptr; p = p->next) come_back(p->own, p->own.border);
            throw;
        }
        std::uint64_t border = 0;
        for (auto* p = &loop.leftmost(); p != nullptr; p = p->next) {
            const auto& [first, end, in_buffer] = p->own;
            if (border != first) std::move(iterator_at(in_, first), iterator_at(in_, end), iterator_at(in_, border));
            border += end - first;
        }
        std::uint64_t at = border;
        for (auto* p = &loop.leftmost(); p != nullptr; p = p->next) {
            come_back(p->own, at);
            at += p->own.in_buffer;
        }
        return border;
    }

private:
    void come_back(const state& of, std::uint64_t to) noexcept {
        if (of.first == none) return;
        value* const begin = buffer_ + of.first;
        std::move(begin, begin + of.in_buffer, iterator_at(in_, to));
        std::destroy_n(begin, of.in_buffer);
    }

    const In in_;
    const std::uint64_t count_;
    GoesLeft& goes_left_;
    value* const buffer_;
};

}  // namespace detail

/// Moves the elements that goes_left holds for before all others, and returns where the others begin, as std::partition.
/// Calls goes_left last - first times.
///
/// Each part of the range that another worker takes is partitioned by itself. Then elements on the wrong side of the common
/// border are swapped with each other, in parallel.
///
/// The first exception is thrown here; then the other workers stop soon. Each element is then still there, unless a swap
/// throws, too. Throws `cancelled` with this guarantee, and std::bad_alloc.
template <class Iterator, class GoesLeft>
    requires detail::permutes<Iterator> && detail::judges<GoesLeft, Iterator>
Iterator partition(Iterator first, Iterator last, GoesLeft goes_left) {
    const std::uint64_t count = detail::length_of(first, last);
    if (count == 0) return first;
    const auto in = detail::plain(first);
    using work = detail::partitioning<decltype(detail::plain(first)), GoesLeft>;
    return detail::iterator_at(first, detail::in_worker([&](threading::worker& self) -> std::uint64_t {
                                   work all{in, goes_left};
                                   detail::ordered_run<work> loop(self, all, count);
                                   loop.run(self);
                                   if (loop.leftmost().next == nullptr) return loop.leftmost().own.border;
                                   std::vector<detail::partitioned> runs;
                                   for (auto* p = &loop.leftmost(); p != nullptr; p = p->next)
                                       runs.push_back({p->own.first, p->own.border, p->last});
                                   return detail::join_partitions(in, runs);
                               }));
}

/// Does what partition() does, and both sides keep their order, as std::stable_partition. It has a buffer for as many
/// elements as there are. Elements whose moves may throw are partitioned by std::stable_partition in the calling thread,
/// and some may be lost if something throws.
///
/// Exceptions and cancellation are those of partition() otherwise. Throws std::bad_alloc before anything has changed.
template <class Iterator, class GoesLeft>
    requires detail::permutes<Iterator> && detail::judges<GoesLeft, Iterator>
Iterator stable_partition(Iterator first, Iterator last, GoesLeft goes_left) {
    using value = std::iter_value_t<Iterator>;
    const std::uint64_t count = detail::length_of(first, last);
    if (count == 0) return first;
    if constexpr (std::is_nothrow_move_constructible_v<value> && std::is_nothrow_move_assignable_v<value>) {
        using work = detail::stable_partitioning<decltype(detail::plain(first)), GoesLeft>;
        return detail::iterator_at(first, detail::in_worker([&](threading::worker& self) {
                                       return work(detail::plain(first), count, goes_left).run(self);
                                   }));
    } else {
        return std::stable_partition(first, last, std::ref(goes_left));
    }
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class GoesLeft>
    requires detail::permutes<std::ranges::iterator_t<R>> && detail::judges<GoesLeft, std::ranges::iterator_t<R>>
std::ranges::borrowed_iterator_t<R> partition(R&& range, GoesLeft goes_left) {
    return parley::partition(detail::begin_of(range), detail::end_of(range), std::move(goes_left));
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class GoesLeft>
    requires detail::permutes<std::ranges::iterator_t<R>> && detail::judges<GoesLeft, std::ranges::iterator_t<R>>
std::ranges::borrowed_iterator_t<R> stable_partition(R&& range, GoesLeft goes_left) {
    return parley::stable_partition(detail::begin_of(range), detail::end_of(range), std::move(goes_left));
}

}  // namespace parley::inline v0
