/// @file
/// Sorts and keeps the order of equal elements: stable_sort.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/merge_runs.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/algorithm/small_sort.hpp>
#include <parley/algorithm/sort.hpp>
#include <parley/detail/base/fp_control.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/fork_join.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// Mergesort between the range and a buffer of its length. If something throws, every step still moves all its elements
// to where the next step expects them, in any order. So none is lost in the end.
template <class Iterator, class Less>
class merge_sort {
public:
    using value = std::iter_value_t<Iterator>;
    static_assert(std::is_nothrow_move_constructible_v<value> && std::is_nothrow_move_assignable_v<value>);

    merge_sort(Iterator first, std::uint64_t count, Less& less)
        : range_(first), count_(count), less_(less), buffer_(std::allocator<value>().allocate(count)) {}
    ~merge_sort() {
        if (buffer_holds_objects_) std::destroy_n(buffer_, count_);
        std::allocator<value>().deallocate(buffer_, count_);
    }
    merge_sort(const merge_sort&) = delete;
    merge_sort& operator=(const merge_sort&) = delete;

    void run() {
        // The number of levels is odd: runs at the bottom are made in the range, and move to the buffer once.
        unsigned levels = 1;
        while (count_ >> levels >= small_sort_up_to) levels += 2;
        sort<false>(0, count_, levels);
        if (failed_.is_up()) std::rethrow_exception(std::move(failure_));
    }

    // Merges two sorted runs that lie side by side. The second one begins at `middle`.
    void merge_two(std::uint64_t middle) {
        move_to_buffer(0, count_);
        merge_runs(buffer_, 0, middle, count_, range_);
        if (failed_.is_up()) std::rethrow_exception(std::move(failure_));
    }

private:
    static constexpr bool moves_bytes = std::is_trivially_copyable_v<value>;
    static constexpr bool buffer_holds_objects_ = !std::is_trivially_destructible_v<value>;
    static constexpr std::uint64_t serial_up_to = 512;
    static constexpr std::uint64_t merged_serially_up_to = 8192;

    // Sorts what lies in the range, into the range or the buffer.
    template <bool IntoBuffer>
    void sort(std::uint64_t first, std::uint64_t last, unsigned levels) noexcept {
        if (levels == 0) {
            if constexpr (IntoBuffer) make_run(first, last);
            return;
        }
        const std::uint64_t middle = first + (last - first) / 2;
        both(
            last - first > serial_up_to, [this, first, middle, levels] { sort<!IntoBuffer>(first, middle, levels - 1); },
            [this, middle, last, levels] { sort<!IntoBuffer>(middle, last, levels - 1); });
        if constexpr (IntoBuffer) merge_runs(range_, first, middle, last, buffer_);
        else merge_runs(buffer_, first, middle, last, range_);
    }

    void move_to_buffer(std::uint64_t first, std::uint64_t last) noexcept {
        if (last - first <= merged_serially_up_to) {
            std::uninitialized_move(iterator_at(range_, first), iterator_at(range_, last), buffer_ + first);
            return;
        }
        const std::uint64_t middle = first + (last - first) / 2;
        both(
            true, [this, first, middle] { move_to_buffer(first, middle); },
            [this, middle, last] { move_to_buffer(middle, last); });
    }

    void make_run(std::uint64_t first, std::uint64_t last) noexcept {
        attempt([&] { small_sort(iterator_at(range_, first), iterator_at(range_, last), less_); });
        std::uninitialized_move(iterator_at(range_, first), iterator_at(range_, last), buffer_ + first);
    }

    template <class From, class Out>
    void merge_runs(From from, std::uint64_t first, std::uint64_t middle, std::uint64_t last, Out out) noexcept {
        const From border = iterator_at(from, middle);
        merge_of<From, Out> whole{iterator_at(from, first), border, border, iterator_at(from, last),
                                  iterator_at(out, first)};
        bool in_order = true;
        if (first < middle && middle < last) attempt([&] { in_order = !std::invoke(less_, *border, border[-1]); });
        if (in_order) whole.move_rest();
        else merge_parts(whole);
    }

    template <class From, class Out>
    void merge_parts(merge_of<From, Out> whole) noexcept {
        if (whole.length() <= merged_serially_up_to) {
            bool begun = false;
            attempt([&] {
                begun = true;
                merge_serially(whole, less_);
            });
            if (!begun) whole.move_rest();
            return;
        }
        merge_of<From, Out> second = whole;
        if (!attempt([&] { second = whole.split_off_half(less_); })) return whole.move_rest();
        both(true, [this, &whole] { merge_parts(whole); }, [this, &second] { merge_parts(second); });
    }

    // Calls both f and g, even if fork throws.
    template <class F, class G>
    void both(bool in_parallel, F f, G g) noexcept {
        bool f_done = false, g_done = false;
        if (in_parallel)
            attempt([&] {
                fork_join(
                    [&] {
                        const base::fp_in_place as_submitted(fp_);
                        f();
                        f_done = true;
                    },
                    [&] {
                        const base::fp_in_place as_submitted(fp_);
                        g();
                        g_done = true;
                    });
            });
        if (!f_done) f();
        if (!g_done) g();
    }

    // Calls f(), unless something has been thrown before. False: something has, or f throws.
    template <class F>
    bool attempt(F f) noexcept {
        if (failed_.is_up()) return false;
        try {
            f();
            return true;
        } catch (...) {
            if (failed_.put_up()) failure_ = std::current_exception();
            return false;
        }
    }

    const Iterator range_;
    const std::uint64_t count_;
    Less& less_;
    const base::fp_control fp_ = base::fp_control::now();  // docs/guide/inheritance.md
    value* const buffer_;
    sync::flag failed_;
    std::exception_ptr failure_;  // read when all have been joined
};

}  // namespace detail

/// Sorts [first, last) by less, a strict weak order. Equal elements keep their order. O(n log n) calls of less, and a
/// buffer for n elements.
///
/// It is mergesort with a fork for each half. Long merges are divided by bisection. Merges of small plain types have no
/// branches. A range that is sorted, or strictly reversed, is recognised and needs no buffer. Elements whose moves may
/// throw are sorted by std::stable_sort in the calling thread, and some may be lost if something throws.
///
/// The first exception of less is thrown here, when all workers have left the range. Each element is then still there,
/// in any order. Throws `cancelled` with this guarantee, and std::bad_alloc before anything has changed.
template <class Iterator, class Less>
    requires detail::sorts<Iterator, Less>
void stable_sort(Iterator first, Iterator last, Less less) {
    using value = std::iter_value_t<Iterator>;
    const std::uint64_t n = detail::length_of(first, last);
    if (n < 2) return;
    if constexpr (std::is_nothrow_move_constructible_v<value> && std::is_nothrow_move_assignable_v<value>)
        detail::in_worker([&](threading::worker&) {
            const auto begin = detail::plain(first);
            if (detail::sort_what_is_in_order(begin, n, less)) return;
            detail::merge_sort<decltype(detail::plain(first)), Less>(begin, n, less).run();
        });
    else std::stable_sort(first, last, std::ref(less));
}

/// Sorts by `<`.
template <class Iterator>
    requires detail::sorts<Iterator, std::less<>>
void stable_sort(Iterator first, Iterator last) {
    parley::stable_sort(first, last, std::less<>{});
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Less = std::less<>>
    requires detail::sorts<std::ranges::iterator_t<R>, Less>
void stable_sort(R&& range, Less less = {}) {
    parley::stable_sort(detail::begin_of(range), detail::end_of(range), std::move(less));
}

}  // namespace parley::inline v0
