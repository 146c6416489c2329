/// @file
/// All partial results of a reduction: inclusive_scan and exclusive_scan.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/ordered_run.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/reduce.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/loop.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0 {

namespace detail {

enum class scanning : bool { exclusive, inclusive };

// The leftmost part knows the sum of what lies left of it, and writes its results at once. If nobody asks for work,
// that is all. A part that was split off only reduces its elements, in pieces. It is scanned when the sum left of it is
// known (G. E. Blelloch, "Prefix Sums and Their Applications", 1990).
template <scanning Kind, class T, class In, class Out, class Op>
struct scan {
    // A range and its sum. Later `sum` is that of all elements left of the range.
    struct piece {
        std::uint64_t first, last;
        T sum;
    };
    struct state {
        bool left_is_known = false;
        std::optional<T> sum;  // of all elements left, if that is known; otherwise of the piece that begins at `first`
        std::uint64_t first = 0;
        std::vector<piece> pieces;
    };

    using element = std::iter_reference_t<In>;
    using op_in_block =
        std::conditional_t<std::is_invocable_v<const Op&, T&, element>, called_in_block<Op, T, element>, Op&>;

    bool block(state& part, std::uint64_t from, std::uint64_t to) {
        if (part.left_is_known) {
            write(part.sum, from, to);
            return true;
        }
        if (!part.sum) part.first = from;
        reduction<T, In, Op, std::identity>{in, op, same}.block(part.sum, from, to);
        if (to - part.first >= piece_length) end_piece(part, to);
        return true;
    }

    void end_piece(state& part, std::uint64_t last) {
        if (!part.sum) return;
        part.pieces.push_back({part.first, last, std::move(*part.sum)});
        part.sum.reset();
    }

    // `sum` is that of all elements left of `from`, or nothing if there are none. Afterwards it is that of all left of
    // `to`.
    void write(std::optional<T>& sum, std::uint64_t from, std::uint64_t to) {
        op_in_block own = op;
        const In source = in;
        const Out target = out;
        if (!sum) {
            element_at(target, from) = sum.emplace(invoke_as<T>(same, element_at(source, from)));
            ++from;
        }
        T s = std::move(*sum);  // not in memory that the stores might change
        for (; from != to; ++from) {
            if constexpr (Kind == scanning::inclusive) {
                s = invoke_as<T>(own, std::move(s), element_at(source, from));
                element_at(target, from) = s;
            } else {
                T next = invoke_as<T>(own, s, element_at(source, from));
                element_at(target, from) = std::move(s);
                s = std::move(next);
            }
        }
        *sum = std::move(s);
    }

    void operator()(threading::worker& self, std::uint64_t count, std::optional<T> init) {
        std::vector<piece> rest;
        {
            ordered_run<scan> loop(self, *this, count);
            loop.leftmost().own.left_is_known = true;
            loop.leftmost().own.sum = std::move(init);
            loop.run(self);
            T left = std::move(*loop.leftmost().own.sum);
            for (auto* p = loop.leftmost().next; p != nullptr; p = p->next) {
                end_piece(p->own, p->last);
                for (piece& here : p->own.pieces) {
                    T through = invoke_as<T>(op, left, std::move(here.sum));
                    rest.push_back({here.first, here.last, std::move(left)});
                    left = std::move(through);
                }
            }
        }
        parley::for_each_index(std::uint64_t{0}, std::uint64_t{rest.size()}, [&](std::uint64_t n) {
            std::optional<T> sum(std::move(rest[n].sum));
            write(sum, rest[n].first, rest[n].last);
        });
    }

    In in;
    Out out;
    Op& op;
    // A piece is short enough for each worker to have several in the second pass. It is long enough for their sums,
    // which one worker combines between the passes, to be few. It takes at most some microseconds if op is cheap,
    // because its worker does not look up meanwhile.
    std::uint64_t piece_length;
    std::identity same = {};
};

template <scanning Kind, class T, class Iterator, class Out, class Op>
Out scan_into(Iterator first, Iterator last, Out out, Op& op, std::optional<T> init) {
    const std::uint64_t count = length_of(first, last);
    if (count == 0) return out;
    in_worker([&](threading::worker& self) {
        const std::uint64_t piece_length = std::min<std::uint64_t>(count / (4 * self.home().size()), 1U << 14);
        scan<Kind, T, decltype(plain(first)), decltype(plain(out)), Op>{plain(first), plain(out), op, piece_length}(
            self, count, std::move(init));
    });
    return iterator_at(out, count);
}

}  // namespace detail

/// Assigns init op first[0] op ... op first[n] to out[n], for every n. Returns the end of what was written. Elements
/// are grouped in any way but not reordered, so op need only be associative. Its results and the elements are converted
/// to T, by implicit conversions only. out[n] is assigned from an lvalue. `out` may be `first`; otherwise they must not
/// overlap.
///
/// It is one pass with n calls of op if nobody asks for work. Parts that others take are reduced first, and scanned
/// when the sum left of them is known. That is less than 2 n calls of op in all, and O(n / 16384 + workers) values of
/// T.
///
/// The first exception is thrown here, with some elements assigned; then the other workers stop soon. It
/// throws `cancelled` and std::bad_alloc in this way, too.
template <class Iterator, class Out, class Op, class T>
    requires std::random_access_iterator<Iterator> && detail::scans<Op, T, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, T&>
Out inclusive_scan(Iterator first, Iterator last, Out out, Op op, T init) {
    std::optional<T> left(std::move(init));
    return detail::scan_into<detail::scanning::inclusive, T>(first, last, out, op, std::move(left));
}

/// Scans without init. The first result is the first element, and T is the type of the elements.
template <class Iterator, class Out, class Op>
    requires std::random_access_iterator<Iterator> &&
             detail::scans<Op, std::iter_value_t<Iterator>, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, std::iter_value_t<Iterator>&>
Out inclusive_scan(Iterator first, Iterator last, Out out, Op op) {
    using T = std::iter_value_t<Iterator>;
    return detail::scan_into<detail::scanning::inclusive, T>(first, last, out, op, std::nullopt);
}

/// Assigns the running sums.
template <class Iterator, class Out>
    requires std::random_access_iterator<Iterator> &&
             detail::scans<std::plus<>, std::iter_value_t<Iterator>, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, std::iter_value_t<Iterator>&>
Out inclusive_scan(Iterator first, Iterator last, Out out) {
    return parley::inclusive_scan(first, last, out, std::plus<>{});
}

/// Scans as inclusive_scan() with init does, but out[n] is init op first[0] op ... op first[n - 1], and out[0] is init.
template <class Iterator, class Out, class T, class Op>
    requires std::random_access_iterator<Iterator> && detail::scans<Op, T, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, T>
Out exclusive_scan(Iterator first, Iterator last, Out out, T init, Op op) {
    std::optional<T> left(std::move(init));
    return detail::scan_into<detail::scanning::exclusive, T>(first, last, out, op, std::move(left));
}

/// Assigns the running sums from `init` on, each without its own element.
template <class Iterator, class Out, class T>
    requires std::random_access_iterator<Iterator> && detail::scans<std::plus<>, T, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, T>
Out exclusive_scan(Iterator first, Iterator last, Out out, T init) {
    return parley::exclusive_scan(first, last, out, std::move(init), std::plus<>{});
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Out, class Op, class T>
    requires detail::scans<Op, T, detail::element_of<R>> && detail::assigns_elements_from<Out, T&>
Out inclusive_scan(R&& range, Out out, Op op, T init) {
    return parley::inclusive_scan(detail::begin_of(range), detail::end_of(range), out, std::move(op), std::move(init));
}
/// Takes a range instead of two iterators, and no init.
template <detail::range_of_random_access_and_known_size R, class Out, class Op = std::plus<>>
    requires detail::scans<Op, std::ranges::range_value_t<R>, detail::element_of<R>> &&
             detail::assigns_elements_from<Out, std::ranges::range_value_t<R>&>
Out inclusive_scan(R&& range, Out out, Op op = {}) {
    return parley::inclusive_scan(detail::begin_of(range), detail::end_of(range), out, std::move(op));
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Out, class T, class Op = std::plus<>>
    requires detail::scans<Op, T, detail::element_of<R>> && detail::assigns_elements_from<Out, T>
Out exclusive_scan(R&& range, Out out, T init, Op op = {}) {
    return parley::exclusive_scan(detail::begin_of(range), detail::end_of(range), out, std::move(init), std::move(op));
}

}  // namespace parley::inline v0
