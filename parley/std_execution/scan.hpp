// Scans for the backend: running sums, and what needs them to know where its results go.
#pragma once

#include <parley/algorithm/ordered_run.hpp>
#include <parley/std_execution/in_parts.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0::detail::std_execution {

// __parallel_strict_scan. Divides [0, n) into tiles, and calls reduce(first, length) once for each. Then comes apex(sum of
// all), once, and then for each tile scan(first, length, sum of what lies left of it). The tiles are the same in both
// passes, since reduce leaves notes for scan.
template <class Index, class T, class Reduce, class Combine, class Scan, class Apex>
void scan_in_tiles(Index n, T initial, const Reduce& reduce, Combine& combine, const Scan& scan, Apex& apex) {
    const std::uint64_t count = length_between(Index(0), n);
    // A tile of a set operation begins with some searches, so there are more of them only where each is long.
    const std::uint64_t tiles = std::max(parts_of(count, 8, 256), parts_of(count, 32, 4096));
    if (tiles == 1) {
        T sum = initial;
        if (count > 0) sum = combine(sum, reduce(Index(0), n));
        apex(sum);
        if (count > 0) scan(Index(0), n, initial);
        return;
    }
    const auto begin_of = [count, tiles](std::uint64_t tile) {
        return static_cast<Index>(tile * (count / tiles) + std::min(tile, count % tiles));
    };
    std::vector<T> sums(tiles);
    in_isolation([&](threading::worker&) {
        for_blocks(tiles, [&](std::uint64_t tile, std::uint64_t end) {
            for (; tile != end; ++tile) sums[tile] = call_apart(reduce, begin_of(tile), begin_of(tile + 1) - begin_of(tile));
        });
        T left = initial;
        for (T& sum : sums) {
            T through = combine(left, sum);
            sum = std::exchange(left, std::move(through));
        }
        apex(left);
        for_blocks(tiles, [&](std::uint64_t tile, std::uint64_t end) {
            for (; tile != end; ++tile) call_apart(scan, begin_of(tile), begin_of(tile + 1) - begin_of(tile), sums[tile]);
        });
    });
}

// __parallel_transform_scan: one pass by the leftmost part, which knows the sum of what lies left of it. A part that was
// split off only reduces its elements, in pieces, and is scanned when that sum is known (G. E. Blelloch, "Prefix Sums and
// Their Applications", 1990). element(i) is the value of one element. reduce(i, j, left) goes on with what lies left of
// [i, j), and scan(i, j, left) does so and writes each sum.
template <class Index, class Element, class T, class Combine, class Reduce, class Scan>
struct scan_on_demand {
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

    bool block(state& part, std::uint64_t from, std::uint64_t to) {
        if (part.left_is_known) {
            *part.sum = call_apart(scan, index(from), index(to), std::move(*part.sum));
            return true;
        }
        if (!part.sum) {
            part.first = from;
            part.sum.emplace(Element(element)(index(from++)));
        }
        if (from != to) *part.sum = call_apart(reduce, index(from), index(to), std::move(*part.sum));
        if (to - part.first >= piece_length) end_piece(part, to);
        return true;
    }

    T operator()(threading::worker& self, std::uint64_t count, T init) {
        std::vector<piece> rest;
        {
            ordered_run<scan_on_demand> loop(self, *this, count);
            loop.leftmost().own.left_is_known = true;
            loop.leftmost().own.sum = std::move(init);
            loop.run(self);
            init = std::move(*loop.leftmost().own.sum);
            for (auto* p = loop.leftmost().next; p != nullptr; p = p->next) {
                end_piece(p->own, p->last);
                for (piece& here : p->own.pieces) {
                    T through = Combine(combine)(init, std::move(here.sum));
                    rest.push_back({here.first, here.last, std::exchange(init, std::move(through))});
                }
            }
        }
        if (!rest.empty())
            for_blocks(rest.size(), [&](std::uint64_t from, std::uint64_t to) {
                for (; from != to; ++from)
                    (void)call_apart(scan, index(rest[from].first), index(rest[from].last), std::move(rest[from].sum));
            });
        return init;
    }

    static void end_piece(state& part, std::uint64_t last) {
        if (!part.sum) return;
        part.pieces.push_back({part.first, last, std::move(*part.sum)});
        part.sum.reset();
    }
    [[nodiscard]] Index index(std::uint64_t n) const { return static_cast<Index>(begin + n); }

    const Element& element;
    const Combine& combine;
    const Reduce& reduce;
    const Scan& scan;
    std::uint64_t begin;  // what lies left of it is scanned
    // Short enough for each worker to have several in the second pass, and long enough for their sums to be few.
    std::uint64_t piece_length;
};

template <class Index, class Element, class T, class Combine, class Reduce, class Scan>
T scan_elements(Index n, const Element& element, T init, const Combine& combine, const Reduce& reduce, const Scan& scan) {
    const std::uint64_t all = length_between(Index(0), n);
    if (is_serial() && all > 0) return scan(Index(0), n, std::move(init));
    // What others take is read twice, so two workers save a third of it.
    constexpr std::chrono::microseconds reading_again_costs(50);
    const std::uint64_t done = begin_serially(all, reading_again_costs, [&](std::uint64_t from, std::uint64_t to) {
        init = call_apart(scan, static_cast<Index>(from), static_cast<Index>(to), std::move(init));
    });
    if (done == all) return init;
    return in_isolation([&](threading::worker& self) {
        const std::uint64_t piece_length = std::min<std::uint64_t>((all - done) / (4 * self.home().size()), 1U << 14);
        scan_on_demand<Index, Element, T, Combine, Reduce, Scan> rest{element, combine, reduce, scan, done, piece_length};
        return rest(self, all - done, std::move(init));
    });
}

}  // namespace parley::inline v0::detail::std_execution
