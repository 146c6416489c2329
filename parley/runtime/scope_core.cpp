#include <parley/runtime/scope_core.hpp>

#include <parley/runtime/pool.hpp>
#include <parley/runtime/wait.hpp>

#include <new>

namespace parley::inline v0::threading {

scope_core::~scope_core() { delete[] lines_.get(); }

scope_core::line* scope_core::lines() {
    if (line* const have = lines_.get()) return have;
    auto fresh = std::make_unique<line[]>(home_.size());
    if (line* const theirs = lines_.install(fresh.get())) return theirs;
    return fresh.release();
}

scope_core::line& scope_core::line_of(const worker& self) {
    if (&self.home != &home_)
        throw usage_error("parley: a scope was used by a worker of another runtime");
    return lines()[self.id];
}

void scope_core::count_done_elsewhere(worker& self) noexcept {
    // Read first: after the count the scope may be gone.
    const std::uint32_t waiter = owner_ == nullptr ? waiter_outside : waiter_number(owner_->id);
    line& mine = lines()[self.id];
    self.owe_news(this, waiter);
    mine.done.add();
}

void scope_core::count_spawned_outside() { outside_spawned_.add(); }

bool scope_core::complete() const noexcept {
    line* const all = lines_.get();
    std::uint64_t done = own_done_;
    std::uint64_t spawned = own_spawned_;
    if (all != nullptr) {
        for (std::uint32_t id = 0; id < home_.size(); ++id) done += all[id].done.get();
        for (std::uint32_t id = 0; id < home_.size(); ++id) spawned += all[id].spawned.get();
    }
    return done == spawned + outside_spawned_.get();
}

void scope_core::wait() noexcept {
    if (complete()) return;
    const auto done = [](const void* s) { return static_cast<const scope_core*>(s)->complete(); };
    if (owner_ != nullptr) threading::wait(*owner_, protocol::standing::in_task, done, this);
    else home_.wait_outside(done, this);
}

void scope_core::fail(std::exception_ptr failure) noexcept {
    // Ordered before the owner's reading by the count of this task that follows.
    if (failed_.put_up()) failure_ = std::move(failure);
    stopped_.put_up();
}

std::exception_ptr scope_core::take_failure() noexcept {
    stopped_.take_down();
    failed_.take_down();
    return std::exchange(failure_, nullptr);
}

}  // namespace parley::inline v0::threading
