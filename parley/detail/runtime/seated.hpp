// The calling thread as a worker of some runtime, wherever it is called from.
#pragma once

#include <parley/detail/runtime/blocking.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <concepts>
#include <cstdint>

namespace parley::inline v0::threading {

// By a thread outside: it sits on the seat that it keeps. Null: it keeps none, in any runtime or in that one, or somebody
// else looks into it. Then it comes in by `seated`.
[[nodiscard, gnu::always_inline]] inline worker* sit_in_kept_seat(const pool* home = nullptr) noexcept {
    worker* const mine = seat_kept;
    if (mine == nullptr || (home != nullptr && &mine->home != home) || !mine->seat.try_enter()) [[unlikely]]
        return nullptr;
    current = innermost = mine;
    return mine;
}

// After that: leaves the seat in the end. Beside `seated` for those words whose cost is coming in and going: where it is
// one of two ways, the compiler keeps less in registers.
class in_kept_seat {
public:
    [[gnu::always_inline]] explicit in_kept_seat(worker& self) noexcept : self_(self) {}
    [[gnu::always_inline]] ~in_kept_seat() {
        if (self_.must_tidy) [[unlikely]]
            tidy_and_pause(self_);
        else self_.pause();
    }
    in_kept_seat(const in_kept_seat&) = delete;
    in_kept_seat& operator=(const in_kept_seat&) = delete;

    [[gnu::noinline, gnu::cold]] static void tidy_and_pause(worker& self) noexcept;

private:
    worker& self_;
};

// For the life of this object the thread acts as a worker of `home`: as the one that its stack is there already, or it
// comes in (seats.cpp), as the one whose seat it keeps if it keeps one (kept_seats.cpp). Where it has come into other
// runtimes since, nobody answers for it there meanwhile: in those it counts as blocked. Not in a child of fork().
class seated {
public:
    [[gnu::always_inline]] explicit seated(pool& home) noexcept
        : before_(current), at_(sits_in_kept_seat(&home) ? place{seat_kept, how::keeps} : come_in(home)) {}
    // In the default runtime, which may have to be made: home().
    template <class Home>
        requires std::invocable<Home&>
    [[gnu::always_inline]] explicit seated(Home home)
        : before_(current), at_(sits_in_kept_seat(nullptr) ? place{seat_kept, how::keeps} : come_in(home())) {}
    [[gnu::always_inline]] ~seated() {
        if (at_.by == how::keeps && !at_.self->must_tidy) [[likely]]
            at_.self->pause();
        else go(at_, before_);
    }
    seated(const seated&) = delete;
    seated& operator=(const seated&) = delete;

    [[nodiscard]] worker& self() const noexcept { return *at_.self; }

    // Of a thread outside: the worker whose seat it keeps there, from now on if it may. Null: none.
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
