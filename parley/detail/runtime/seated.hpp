// Makes the calling thread a worker of some runtime, on whatever stack it calls from.
#pragma once

#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <concepts>
#include <cstdint>

namespace parley::inline v0::threading {

// For a thread outside, which sits down on the seat that it keeps. Null: it keeps none, in any runtime or in that one,
// or another thread looks into the seat. Then the thread comes in by `seated`.
[[nodiscard, gnu::always_inline]] inline worker* sit_in_kept_seat(const pool* home = nullptr) noexcept {
    worker* const mine = seat_kept;
    if (mine == nullptr || (home != nullptr && &mine->home() != home) || !mine->seat_part().lock.try_enter()) [[unlikely]]
        return nullptr;
    current = innermost = mine;
    return mine;
}

// Leaves that seat in the end. Words whose main cost is coming in and going use this, and not `seated`. Where the kept
// seat is one of two ways, the compiler keeps less in registers.
class in_kept_seat {
public:
    [[gnu::always_inline]] explicit in_kept_seat(worker& self) noexcept : self_(self) {}
    [[gnu::always_inline]] ~in_kept_seat() {
        if (self_.own_part().must_tidy) [[unlikely]]
            tidy_and_pause(self_);
        else self_.pause();
    }
    in_kept_seat(const in_kept_seat&) = delete;
    in_kept_seat& operator=(const in_kept_seat&) = delete;

    [[gnu::noinline, gnu::cold]] static void tidy_and_pause(worker& self) noexcept;

private:
    worker& self_;
};

// While this object lives, the thread acts as a worker of `home`:
//   1. If its stack is a worker there already, the thread acts as that one. In the runtimes that it has come into
//      since, nobody answers for it meanwhile, so its workers there count as blocked.
//   2. Otherwise it comes in (seats.cpp), on the seat that it keeps if it keeps one (kept_seats.cpp).
// Not allowed in a child of fork().
class seated {
public:
    [[gnu::always_inline]] explicit seated(pool& home) noexcept
        : before_(current), at_(sits_in_kept_seat(&home) ? place{seat_kept, how::keeps} : come_in(home)) {}
    // For the default runtime, which may have to be made. home() returns it.
    template <class Home>
        requires std::invocable<Home&>
    [[gnu::always_inline]] explicit seated(Home home)
        : before_(current), at_(sits_in_kept_seat(nullptr) ? place{seat_kept, how::keeps} : come_in(home())) {}
    [[gnu::always_inline]] ~seated() {
        if (at_.by == how::keeps && !at_.self->own_part().must_tidy) [[likely]]
            at_.self->pause();
        else go(at_, before_);
    }
    seated(const seated&) = delete;
    seated& operator=(const seated&) = delete;

    [[nodiscard]] worker& self() const noexcept { return *at_.self; }

    // Returns the worker whose seat the calling thread, one from outside, keeps there. The thread keeps one from now on
    // if it may. Null: it keeps none.
    [[nodiscard, gnu::noinline]] static worker* keeper_in(pool& home) noexcept;

private:
    enum class how : std::uint8_t { keeps, keeps_and_visits, comes_in, is_in };
    struct place {
        worker* self;
        how by;
    };

    [[gnu::always_inline]] static bool sits_in_kept_seat(const pool* home) noexcept {
        return current == nullptr && sit_in_kept_seat(home) != nullptr;
    }

    [[nodiscard, gnu::noinline, gnu::cold]] static place come_in(pool& home) noexcept;
    [[gnu::noinline, gnu::cold]] static void go(place at, worker* before) noexcept;

    worker* const before_;
    const place at_;
};

}  // namespace parley::inline v0::threading
