// How work that appears while many requests rest reaches them as a tree (docs/internals/spreading.md).
//
// The seats form a circle by their numbers. Each worker serves a range: so many seats behind its own. An answer goes to the
// middle one of those that rest in the range, and the seats behind that one become its thief's range. So k thieves have
// work after about log2(k) answers in a row, and no two workers search the lobby in the same place. A range is advice:
// a worker that finds nobody in its range serves everybody.
#pragma once

#include <parley/detail/protocol/request.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace parley::inline v0::protocol {

// A request that a worker has taken out of the lobby.
struct asker {
    request_id request = 0;
    std::uint32_t behind = 0;  // its thief's seat is so many behind that of the worker; 0: it was not found by the range
    std::uint32_t all = 0;     // those of the range that get a part, this one among them (take_middle)
    std::uint32_t served = 0;  // so many of them its thief serves, itself among them
};

// What becomes of the range of a worker that answers.
struct division {
    std::uint32_t of_thief = 0;  // the range of the thief: `everybody`, `nobody`, or so many seats
    std::uint32_t all = 0;       // this and the next as in `asker`; 0: the request was not found by the range
    std::uint32_t served = 0;
    bool is_used_up = false;  // this worker has served its whole range
};

// A medium that spreads work so has these:
//   take_asker(range)   takes out of the lobby what take_middle() says
//   divides(r, d)       the next send_tasks() answers `r`, and divides the range so
//   range_of(r)         the range that came with the answer to `r`
class range {
public:
    static constexpr std::uint32_t everybody = 0;
    // For a thief in whose range nobody rested: it need not look for others soon.
    static constexpr std::uint32_t nobody = 0xffff;

    [[nodiscard]] constexpr bool is_everybody() const noexcept { return size_ == everybody; }
    [[nodiscard]] constexpr bool is_nobody() const noexcept { return size_ == nobody; }
    // What this worker had was given to it, and is over. What comes now is for all.
    constexpr void becomes_everybody() noexcept { size_ = everybody; }

    // Returns the request that is to be answered next, or nothing. I9: where nobody who runs rests in the range, this
    // worker serves everybody.
    template <class M>
    std::optional<asker> take_asker(M& m, std::uint32_t seats) {
        if constexpr (spreads<M>) {
            const std::uint32_t all = seats - 1, first = within(seats);
            if (const std::optional<asker> found = m.take_asker(first); found || first == all) return found;
            becomes_everybody();
            return m.take_asker(all);
        } else {
            return std::nullopt;
        }
    }

    // `a` is about to be answered. Its thief gets what lies behind it, and this worker keeps what lies before it.
    template <class M>
    void divide(M& m, const asker& a, std::uint32_t seats) {
        if constexpr (spreads<M>) m.divides(a.request, divided(a, seats));
    }
    constexpr division divided(const asker& a, std::uint32_t seats) noexcept {
        const std::uint32_t before = within(seats);
        if (a.behind == 0 || a.behind > before) return {};
        size_ = a.behind - 1;
        return {a.served == 1 ? nobody : before - a.behind, a.all, a.served, a.served == a.all};
    }

    // This worker receives the answer to `r`.
    template <class M>
    void comes_with(M& m, request_id r) {
        if constexpr (spreads<M>) size_ = m.range_of(r);
    }

    // The number of the one to answer first, of so many in order: half of the others come after it.
    static constexpr std::uint32_t middle_of(std::uint32_t resting) noexcept { return resting / 2; }
    // So many of them its thief serves with what it gets, itself among them, if there are parts for those that rest.
    static constexpr std::uint32_t served_by_middle(std::uint32_t resting) noexcept { return resting - middle_of(resting); }

    friend constexpr bool operator==(const range&, const range&) = default;

private:
    template <class M>
    static constexpr bool spreads = requires(M& m) { m.take_asker(1U); };

    // So many seats behind this worker. One that was to serve nobody serves everybody later.
    [[nodiscard]] constexpr std::uint32_t within(std::uint32_t seats) const noexcept {
        return is_everybody() || is_nobody() ? seats - 1 : size_;
    }

    std::uint32_t size_ = everybody;
};

// Do so many of the other workers rest that a letter would hardly find anybody who has something to spare?
constexpr bool are_many(std::uint32_t resting, std::uint32_t workers) noexcept {
    return 8 * std::uint64_t{resting} > workers;
}

// The numbers of the requests of so many seats behind `self`: from `first` to before `last`, and from 0 to before `wrapped`.
struct places {
    request_id first, last, wrapped;

    static constexpr places behind(worker_id self, std::uint32_t range, std::uint32_t seats) noexcept {
        const std::uint32_t from = self + 1, to = from + range;
        return {request_of(from), request_of(std::min(to, seats)), request_of(to > seats ? to - seats : 0)};
    }
};

// Do nearly all workers of a range rest that are awake? Then the others are about to: they have just ended what they had.
constexpr bool are_nearly_all(std::uint32_t resting, std::uint32_t awake) noexcept {
    return resting > 0 && 4 * std::uint64_t{resting} >= 3 * std::uint64_t{awake};
}

// Takes the request out of the lobby that a worker with this range answers first. The lobby counts and finds those that are
// awake. It also counts all workers that are awake, and those that do not rest and come soon. may_take(request)
// is true if its thief runs. It is also true if the request does not rest any more, so that it leaves the lobby. If the
// middle one has lost its core, another one that runs is taken.
//
// Parts are for those that rest. If nearly all rest, parts are also for those that have looked for work lately, and come
// soon. So the next loop is divided as this one was, and each worker finds its elements in its cache. The part of a worker
// that has not come yet stays with its neighbour in front, and its seat stays in that one's range. Near such a seat, where
// the range is small, the others divide what they have among themselves.
template <class Lobby, class MayTake>
std::optional<asker> take_middle(worker_id self, std::uint32_t range, std::uint32_t seats, Lobby& lobby,
                                 const MayTake& may_take) {
    const places at = places::behind(self, range, seats);
    for (;;) {
        const std::uint32_t in_front = lobby.count_between(at.first, at.last);
        const std::uint32_t resting = in_front + lobby.count_between(0, at.wrapped);
        if (resting == 0) return std::nullopt;
        const std::uint32_t before = range::middle_of(resting);
        const std::optional<request_id> r = before < in_front ? lobby.find_between(at.first, at.last, before)
                                                              : lobby.find_between(0, at.wrapped, before - in_front);
        if (!r) continue;  // it has gone meanwhile, so somebody gets on
        if (!may_take(*r)) {
            const std::optional<request_id> other = lobby.take(at.first, may_take);
            return other ? std::optional(asker{*other}) : std::nullopt;
        }
        if (!lobby.take_out(*r)) continue;
        const worker_id thief = thief_of(*r);
        const std::uint32_t behind = (thief + seats - self) % seats;
        asker a{*r, behind, resting, resting - before};
        if (are_nearly_all(resting, lobby.count_awake(at.first, at.last) + lobby.count_awake(0, at.wrapped))) {
            const auto count_coming = [&](const places& p) {
                return lobby.count_coming(p.first, p.last) + lobby.count_coming(0, p.wrapped);
            };
            const std::uint32_t in_front_of_it = count_coming(places::behind(self, behind - 1, seats));
            const std::uint32_t behind_it = count_coming(places::behind(thief, range - behind, seats));
            a.all += in_front_of_it + behind_it;
            a.served += behind_it;
        }
        return a;
    }
}

}  // namespace parley::inline v0::protocol
