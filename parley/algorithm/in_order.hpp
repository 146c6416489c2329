// Writes results one after the other although nobody knows beforehand how many there are before each place.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/ordered_run.hpp>
#include <parley/loop.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley::inline v0::detail {

// The leftmost part knows where its results belong, and writes them at once. If nobody asks for work, that is all. A part
// that was split off only measures its elements, in pieces. A piece is written when the lengths left of it are known.
//
//   work.write(note, from, to, at)     writes the results of [from, to) from place `at` on; returns the place after them
//   work.measure(note, from, to)       returns how many results these are, and keeps what write_measured needs
//   work.write_measured(note, from, to, at)
//
// The blocks of the leftmost part have one note, and those of each piece.
template <class Work>
struct in_order {
    struct piece {
        std::uint64_t first = 0, last = 0;
        std::uint64_t length = 0;  // later the place of its first result
        typename Work::note note;
    };
    struct state {
        bool place_is_known = false;
        std::uint64_t place = 0;
        typename Work::note note;
        std::vector<piece> pieces;
    };

    bool block(state& part, std::uint64_t from, std::uint64_t to) {
        if (part.place_is_known) {
            part.place = work.write(part.note, from, to, part.place);
            return true;
        }
        if (part.pieces.empty() || from - part.pieces.back().first >= piece_length) {
            part.pieces.emplace_back();
            part.pieces.back().first = from;
        }
        piece& here = part.pieces.back();
        here.length += work.measure(here.note, from, to);
        here.last = to;
        return true;
    }

    // Returns how many results there are.
    static std::uint64_t run(Work& work, std::uint64_t count) {
        if (count == 0) return 0;
        return in_worker([&](threading::worker& self) {
            in_order all{work, std::min<std::uint64_t>(count / (4 * self.home().size()), 1U << 14)};
            ordered_run<in_order> loop(self, all, count);
            loop.leftmost().own.place_is_known = true;
            loop.run(self);
            std::uint64_t place = loop.leftmost().own.place;
            std::vector<piece> rest;
            for (auto* p = loop.leftmost().next; p != nullptr; p = p->next)
                for (piece& here : p->own.pieces) {
                    place += std::exchange(here.length, place);
                    rest.push_back(std::move(here));
                }
            parley::for_each_index(std::uint64_t{0}, std::uint64_t{rest.size()}, [&](std::uint64_t n) {
                work.write_measured(rest[n].note, rest[n].first, rest[n].last, rest[n].length);
            });
            return place;
        });
    }

    Work& work;
    // Short enough for each worker to have several in the second pass, and long enough for them to be few.
    std::uint64_t piece_length;
};

}  // namespace parley::inline v0::detail
