#include <parley/detail/runtime/scope_core.hpp>

#include <parley/detail/base/contract.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/seated.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/wait_loop.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <utility>

namespace parley::inline v0::threading {

namespace {
// The condition of wait_loop.
struct completion_of_scope {
    scope_core* scope;
    const worker* self;
    awaited awaits;
    bool operator()() const noexcept { return scope->complete_by_news(*self); }
    bool may_hold() const noexcept { return scope->may_be_complete(*self); }
    const void* cause() const noexcept { return scope; }
    void is_suspended(bool now) const noexcept { scope->wait_is_suspended(now); }
};
}  // namespace

scope_core::line* scope_core::lines() {
    if (line* const have = lines_.get()) return have;
    auto fresh = std::make_unique<line[]>(home_.size());  // visitors count with the threads outside
    others_count();
    if (line* const theirs = lines_.install(fresh.get())) return theirs;
    return fresh.release();
}

group_counts* scope_core::counts_of(const worker& self) {
    if (&self == owner_) return &own_;
    return home_.is_visitor(self.id) ? nullptr : lines() + self.id;
}

void scope_core::count_spawned_elsewhere(const worker& self) {
    if (group_counts* const counts = counts_of(self)) counts->spawned.add();
    else count_spawned_outside();
}

// Who waits for a scope that was made outside is not known: its maker may have come in meanwhile, as
// any worker.
std::uint32_t scope_core::waiter() const noexcept { return owner_ == nullptr ? waiter_anybody : waiter_number(owner_->id); }

// While its wait is suspended, the owner is in no group when it runs tasks of this scope: count_done_outside_group() sees
// them all.
void scope_core::enter_group(worker& self) noexcept {
    self.turn_away();
    if (&self == owner_ && counts_here_.get() == nullptr) return;
    try {
        self.group.counts = counts_of(self);
        if (self.group.counts == nullptr) return;
    } catch (const std::bad_alloc&) {
        return;
    }
    self.group.number = number_;
    self.group.waiter = &self == owner_ ? current_group::nobody : waiter();
}

// The task itself turned this worker to other groups while it waited for them.
void scope_core::count_done_outside_group(worker& self) noexcept {
    enter_group(self);
    if (self.group.number == number_) {
        self.group.counts->done.add();
    } else if (&self == owner_) {
        own_.done.add();
        self.has_ended(this);
    } else {
        count_done_outside();
    }
}

// It never comes down: who sees it up need not write to the line that all read.
void scope_core::others_count() noexcept {
    if (!others_.is_up()) others_.put_up();
}

void scope_core::count_spawned_outside() {
    others_count();
    outside_spawned_.add();
}

void scope_core::count_done_outside() noexcept {
    const std::uint32_t whom = waiter();
    pool& home = home_;
    others_count();
    orphans_done_.add();  // the last access to the scope
    home.notify(whom);
}

std::int64_t scope_core::count_others() const noexcept {
    std::uint64_t done = orphans_done_.get();
    if (line* const all = lines_.get())
        for (std::uint32_t id = 0; id < home_.size(); ++id) done += all[id].done.get();
    // Whoever installed the lines after the look above has not been seen done either.
    std::uint64_t spawned = outside_spawned_.get();
    if (line* const all = lines_.get())
        for (std::uint32_t id = 0; id < home_.size(); ++id) spawned += all[id].spawned.get();
    return static_cast<std::int64_t>(done - spawned);
}

// The same after each task, without reading the lines that the others write. Their numbers as last read
// are not above the true ones. So if more is known to be spawned than done, the scope is incomplete, or
// another worker has done more since: then its news is here or will come, since it turns away from this
// scope's tasks at last. (Less than, not unequal: a task that a thread outside spawned, for which nobody
// sends news, may have been done here.)
bool scope_core::complete_by_news(const worker& self) noexcept {
    const bool news = (self.shown.attention.get() & protocol::bits::news) != 0;
    if (!news && !may_be_complete(self)) [[likely]]
        return false;
    news_seen_ = self.news_seen;
    if (is_anybody_elses()) others_ahead_ = count_others();
    return complete_with(others_ahead_);
}

// Most scopes are over when their owner has run what it has spawned into them, and nobody wanted anything meanwhile: all
// that the wait loop prepares for other cases would be half of what such a scope costs.
scope_core::refused scope_core::wait_for_tasks(awaited what) noexcept {
    worker* const self = current;
    if (self == nullptr || self != owner_ || self->needs_care_between_tasks() || self->is_to_go() ||
        self->depth + 1 >= deepest_on_one_stack)
        return wait_with_others(what);
    const std::uint32_t news = self->news_seen;
    bool over = false;
    ++self->depth;
    while (!self->shown.attention.any()) {
        task* const t = self->tasks.pop();
        if (t == nullptr) break;
        t->run(t, *self);
        if (is_anybody_elses() || self->news_seen != news) break;
        over = own_.done.own() == own_.spawned.own();
        if (over || self->needs_care_between_tasks()) break;
    }
    --self->depth;
    if (!over) return wait_with_others(what);
    self->turn_away_from_others();
    return refused::no;
}

// Who waits a second time looks at the same numbers and hears of the same news; and if it is one of the scope's own tasks,
// both waits would last for ever.
scope_core::refused scope_core::wait_with_others(awaited what) noexcept {
    const seated here(home_);
    worker* const self = &here.self();
    if (owner_ != nullptr && self != owner_) return refused::other_worker;
    if (!is_awaited_.put_up()) return refused::second_wait;
    const auto done = [](const void* s) { return static_cast<const scope_core*>(s)->complete(); };
    if (completion_of_scope own{this, self, what}; self == owner_) wait_loop(*self, protocol::standing::in_task, own);
    else threading::wait(*self, protocol::standing::in_task, what, done, this);
    is_awaited_.take_down();
    return refused::no;
}

namespace {
const char* words_for(scope_core::refused why) noexcept {
    return why == scope_core::refused::second_wait
               ? "parley: a scope is awaited twice at the same time: by two threads, or by one of its own tasks"
               : "parley: a scope is awaited by another worker than the one that made it";
}
}  // namespace

void scope_core::wait_alone(awaited what) noexcept {
    if (const refused why = wait_for_tasks(what); why != refused::no)
        base::contract_failed(words_for(why), __FILE__, __LINE__);
}

void scope_core::throw_refusal(refused why) { throw usage_error(words_for(why)); }

void scope_core::fail(std::exception_ptr failure) noexcept {
    // Ordered before the owner's reading by the count of this task that follows.
    if (failed_.put_up()) failure_ = std::move(failure);
    dropping_.put_up();
}

void scope_core::fail_with_current_exception() noexcept { fail(std::current_exception()); }

void scope_core::fail_cancelled() noexcept { fail(std::make_exception_ptr(cancelled{})); }

std::exception_ptr scope_core::take_what_was_thrown() noexcept {
    failed_.take_down();
    dropping_.lower();
    if (stop_requested_.is_up()) dropping_.put_up();  // requested meanwhile, or before
    return std::exchange(failure_, nullptr);
}

}  // namespace parley::inline v0::threading
