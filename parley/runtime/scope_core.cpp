#include <parley/runtime/scope_core.hpp>

#include <parley/base/contract.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/wait.hpp>
#include <parley/runtime/wait_loop.hpp>

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

bool scope_core::complete() noexcept {
    others_done_ = orphans_done_.get();
    if (line* const all = lines_.get())
        for (std::uint32_t id = 0; id < home_.size(); ++id) others_done_ += all[id].done.get();
    // Whoever installed the lines after the look above has not been seen done either.
    others_spawned_ = outside_spawned_.get();
    if (line* const all = lines_.get())
        for (std::uint32_t id = 0; id < home_.size(); ++id)
            others_spawned_ += all[id].spawned.get();
    return own_done_ + others_done_ == own_spawned_ + others_spawned_;
}

// The same after each task, without reading the lines that the others write. Their numbers as last read
// are not above the true ones. So if more is known to be spawned than done, the scope is incomplete, or
// another worker has done more since: then its news is here or will come, since it turns away from this
// scope's tasks at last. (Less than, not unequal: a task that a thread outside spawned, for which nobody
// sends news, may have been done here.)
bool scope_core::complete_by_news(const worker& self) noexcept {
    const bool news = self.news_seen != news_seen_ ||
                      (self.shown.attention.get() & protocol::bits::news) != 0;
    if (!news && own_done_ + others_done_ < own_spawned_ + others_spawned_) [[likely]]
        return false;
    news_seen_ = self.news_seen;
    return complete();
}

void scope_core::wait() noexcept {
    if (complete()) return;
    worker* const self = worker_in(home_);
    if (owner_ != nullptr && self != owner_)
        base::contract_failed("a scope was awaited by another worker than the one that made it",
                              __FILE__, __LINE__);
    const auto done = [](const void* s) {
        // Only its owner waits: the constness is that of the erased context.
        return static_cast<scope_core*>(const_cast<void*>(s))->complete();
    };
    if (self == nullptr)
        home_.wait_outside(done, this);
    else if (self == owner_)
        wait_loop(*self, protocol::standing::in_task,
                  [this, self] { return complete_by_news(*self); });
    else
        threading::wait(*self, protocol::standing::in_task, done, this);
}

void scope_core::fail(std::exception_ptr failure) noexcept {
    // Ordered before the owner's reading by the count of this task that follows.
    if (failed_.put_up()) failure_ = std::move(failure);
    dropping_.put_up();
}

std::exception_ptr scope_core::take_failure() noexcept {
    failed_.take_down();
    dropping_.lower();
    if (stop_requested_.is_up()) dropping_.put_up();  // requested meanwhile, or before
    return std::exchange(failure_, nullptr);
}

}  // namespace parley::inline v0::threading
