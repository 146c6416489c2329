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
    [[gnu::always_inline]] explicit seated(pool& home) noexcept : before_(current) {
        if (worker* const mine = seat_kept; mine == nullptr || &mine->home != &home || !sits_down(*mine)) [[unlikely]]
            come_in(home);
    }
    // In the default runtime, which may have to be made: home().
    template <class Home>
        requires std::invocable<Home&>
    [[gnu::always_inline]] explicit seated(Home home) : before_(current) {
        if (worker* const mine = seat_kept; mine == nullptr || !sits_down(*mine)) [[unlikely]]
            come_in(home());
    }
    [[gnu::always_inline]] ~seated() {
        if (how_ == how::keeps && self_->can_pause()) [[likely]]
            self_->pause();
        else
            go();
    }
    seated(const seated&) = delete;
    seated& operator=(const seated&) = delete;

    [[nodiscard]] worker& self() const noexcept { return *self_; }

    // Of a thread outside: the worker whose seat it keeps there, from now on if it may. Null: none.
    [[nodiscard, gnu::noinline, gnu::cold]] static worker* keeper_in(pool& home) noexcept;

private:
    enum class how : std::uint8_t { keeps, comes_in, is_in };

    [[gnu::always_inline]] bool sits_down(worker& mine) noexcept {
        if (innermost != nullptr || !mine.seat.try_enter()) [[unlikely]]
            return false;
        self_ = current = innermost = &mine;
        mine.watched.takes_no_jobs.set(false);
        return true;
    }

    [[gnu::noinline, gnu::cold]] void come_in(pool& home) noexcept;
    [[gnu::noinline, gnu::cold]] void go() noexcept;

    worker* const before_;
    worker* self_ = nullptr;
    how how_ = how::keeps;
};

}  // namespace parley::inline v0::threading
