// The calling thread as a worker of some runtime, wherever it is called from.
#pragma once

#include <parley/runtime/blocking.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/worker.hpp>

#include <concepts>
#include <cstdint>

namespace parley::inline v0::threading {

// For the life of this object the thread acts as a worker of `home`: as the one that its stack is there already, or it
// comes in (seats.cpp), as the one whose seat it keeps if it keeps one (kept_seats.cpp). Where it has come into other
// runtimes since, nobody answers for it there meanwhile: in those it counts as blocked. Not in a child of fork().
class seated {
public:
    [[gnu::always_inline]] explicit seated(pool& home) noexcept
        : before_(current), at_(keeps_one(&home) ? place{seat_kept, how::keeps} : come_in(home)) {}
    // In the default runtime, which may have to be made: home().
    template <class Home>
        requires std::invocable<Home&>
    [[gnu::always_inline]] explicit seated(Home home)
        : before_(current), at_(keeps_one(nullptr) ? place{seat_kept, how::keeps} : come_in(home())) {}
    [[gnu::always_inline]] ~seated() {
        if (at_.by == how::keeps && at_.self->can_pause()) [[likely]]
            at_.self->pause();
        else
            go(at_, before_);
    }
    seated(const seated&) = delete;
    seated& operator=(const seated&) = delete;

    [[nodiscard]] worker& self() const noexcept { return *at_.self; }

    // Of a thread outside: the worker whose seat it keeps there, from now on if it may. Null: none.
    [[nodiscard, gnu::noinline]] static worker* keeper_in(pool& home) noexcept;

private:
    enum class how : std::uint8_t { keeps, comes_in, is_in };
    struct place {
        worker* self;
        how by;
    };

    // In any runtime, or in that one. True: it sits there.
    [[gnu::always_inline]] static bool keeps_one(const pool* home) noexcept {
        worker* const mine = seat_kept;
        if (mine == nullptr || innermost != nullptr || (home != nullptr && &mine->home != home) ||
            !mine->seat.try_enter()) [[unlikely]]
            return false;
        current = innermost = mine;
        return true;
    }

    [[nodiscard, gnu::noinline, gnu::cold]] static place come_in(pool& home) noexcept;
    [[gnu::noinline, gnu::cold]] static void go(place at, worker* before) noexcept;

    worker* const before_;
    const place at_;
};

}  // namespace parley::inline v0::threading
