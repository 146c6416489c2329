#include <parley/runtime/scope_core.hpp>

#include <parley/base/contract.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/wait.hpp>

#include <new>
#include <utility>

namespace parley::inline v0::threading {

scope_core::~scope_core() { delete[] lines_.get(); }

scope_core::line* scope_core::lines() {
    if (line* const have = lines_.get()) return have;
    auto fresh = std::make_unique<line[]>(home_.size());
    if (line* const theirs = lines_.install(fresh.get())) return theirs;
    return fresh.release();
}

void scope_core::count_done_elsewhere(worker& self) noexcept {
    // Before the count: after it the scope may be gone. Who waits for a scope that was made outside
    // is not known: its maker may have come in meanwhile, as any worker.
    self.owe_news(this, owner_ == nullptr ? waiter_anybody : waiter_number(owner_->id));
    try {
        lines()[self.id].done.add();
    } catch (const std::bad_alloc&) {
        orphans_done_.add();
    }
}

void scope_core::count_spawned_outside() { outside_spawned_.add(); }

bool scope_core::complete() const noexcept {
    std::uint64_t done = own_done_ + orphans_done_.get();
    line* const all = lines_.get();
    if (all != nullptr)
        for (std::uint32_t id = 0; id < home_.size(); ++id) done += all[id].done.get();
    // Whoever installed the lines after the look above has not been seen done either.
    std::uint64_t spawned = own_spawned_;
    if (line* const later = lines_.get())
        for (std::uint32_t id = 0; id < home_.size(); ++id) spawned += later[id].spawned.get();
    return done == spawned + outside_spawned_.get();
}

void scope_core::wait() noexcept {
    if (complete()) return;
    const auto done = [](const void* s) { return static_cast<const scope_core*>(s)->complete(); };
    worker* self = current;
    while (self != nullptr && &self->home != &home_) self = self->outer;
    if (owner_ != nullptr && self != owner_)
        base::contract_failed("a scope was awaited by another worker than the one that made it",
                              __FILE__, __LINE__);
    if (self != nullptr) threading::wait(*self, protocol::standing::in_task, done, this);
    else home_.wait_outside(done, this);
}

void scope_core::fail(std::exception_ptr failure) noexcept {
    // Ordered before the owner's reading by the count of this task that follows.
    if (failed_.put_up()) failure_ = std::move(failure);
}

std::exception_ptr scope_core::take_failure() noexcept {
    failed_.take_down();
    return std::exchange(failure_, nullptr);
}

}  // namespace parley::inline v0::threading
