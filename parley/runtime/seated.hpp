// The calling thread as a worker of some runtime, wherever it is called from.
#pragma once

#include <parley/runtime/blocking.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/worker.hpp>

#include <utility>

namespace parley::inline v0::threading {

// For the life of this object the thread acts as a worker of `home`: as the one that its stack is there already, or it
// comes in (seats.cpp). Where it has come into other runtimes since, nobody answers for it there meanwhile: in those it
// counts as blocked. Not in a child of fork().
class seated {
public:
    explicit seated(pool& home) noexcept : before_(current), inside_(worker_in(home)) {
        if (inside_ == nullptr) {
            self_ = &home.enter();
            return;
        }
        for (worker* w = innermost; w != inside_; w = w->outer) begin_visit(*w);
        self_ = current = inside_;
    }
    ~seated() {
        if (inside_ == nullptr) {
            self_->home.leave(*self_);
            return;
        }
        current = before_;
        for (worker* w = innermost; w != inside_; w = w->outer) end_visit(*w);
    }
    seated(const seated&) = delete;
    seated& operator=(const seated&) = delete;

    [[nodiscard]] worker& self() const noexcept { return *self_; }
    [[nodiscard]] bool has_come_in() const noexcept { return inside_ == nullptr; }

private:
    worker* const before_;
    worker* const inside_;
    worker* self_;
};

}  // namespace parley::inline v0::threading
