#include <parley/detail/runtime/scope_core.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <parley/detail/base/contract.hpp>
#include <parley/detail/driver/wait_loop.hpp>
#include <parley/detail/driver/weighing.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/seated.hpp>
#include <parley/detail/runtime/thread_host.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <utility>

namespace parley::inline v0::threading {

namespace {
// The condition of the owner's wait, for wait_loop().
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
    return home_.is_visitor(self.id()) ? nullptr : lines() + self.id();
}

void scope_core::count_spawned_elsewhere(const worker& self) {
    if (group_counts* const counts = counts_of(self)) counts->spawned.add();
    else count_spawned_outside();
}

// It is not known which worker waits for a scope that was made outside: its maker may have come in meanwhile, as any
// worker.
std::uint32_t scope_core::waiter() const noexcept {
    return owner_ == nullptr ? waiter_anybody : waiter_number(owner_->id());
}

// While its wait is suspended, the owner is in no group when it runs tasks of this scope. So count_done_outside_group()
// sees the end of each.
void scope_core::enter_group(worker& self) noexcept {
    self.turn_away();
    if (&self == owner_ && counts_here_.get() == nullptr) return;
    try {
        self.own_part().group.counts = counts_of(self);
        if (self.own_part().group.counts == nullptr) return;
    } catch (const std::bad_alloc&) {
        return;
    }
    self.own_part().group.number = number_;
    self.own_part().group.waiter = &self == owner_ ? current_group::nobody : waiter();
}

// The task that ends has turned this worker to other groups, while it waited for their tasks.
void scope_core::count_done_outside_group(worker& self) noexcept {
    enter_group(self);
    if (self.own_part().group.number == number_) {
        self.own_part().group.counts->done.add();
    } else if (&self == owner_) {
        own_.done.add();
        self.has_ended(this);
    } else {
        count_done_outside();
    }
}

// The flag never comes down. So a thread that sees it up need not write to the line that all read.
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
    // A worker that installed the lines after the look above was not seen done either.
    std::uint64_t spawned = outside_spawned_.get();
    if (line* const all = lines_.get())
        for (std::uint32_t id = 0; id < home_.size(); ++id) spawned += all[id].spawned.get();
    return static_cast<std::int64_t>(done - spawned);
}

// Answers as complete() does, but after each task, and without reading the lines that others write:
//   1. What was read last of the others' counts is not above the true counts.
//   2. If more tasks are known to be spawned than done, the scope is incomplete, or another worker has done more since.
//   3. In the second case that worker's news is here or will come, because it turns away from this scope's tasks at
//      last.
//   4. The numbers are not tested for being unequal. A task that a thread outside spawned may have been done here, and
//      nobody sends news of its spawn.
bool scope_core::complete_by_news(const worker& self) noexcept {
    const bool news = (self.shared_part().attention.get() & protocol::bits::news) != 0;
    if (!news && !may_be_complete(self)) [[likely]]
        return false;
    news_seen_ = self.own_part().heard.news;
    if (is_anybody_elses()) others_ahead_ = count_others();
    return complete_with(others_ahead_);
}

// Most scopes are over when their owner has run what it has spawned into them, and nobody wanted anything meanwhile. So
// this runs such tasks itself. All that the wait loop prepares for other cases would be half of what such a scope
// costs.
scope_core::refused scope_core::wait_for_tasks(awaited what) noexcept {
    worker* const self = current;
    burst_ends();
    if (self == nullptr || self != owner_ || self->needs_care_between_tasks() || self->is_to_go() ||
        self->own_part().stack.depth + 1 >= deepest_on_one_stack)
        return wait_with_others(what);
    const std::uint32_t news = self->own_part().heard.news;
    bool over = false;
    ++self->own_part().stack.depth;
    while (!self->is_wanted()) {
        task* const t = self->pop();
        if (t == nullptr) break;
        t->run(t, *self);
        if (is_anybody_elses() || self->own_part().heard.news != news) break;
        over = own_.done.own() == own_.spawned.own();
        if (over || self->needs_care_between_tasks()) break;
    }
    --self->own_part().stack.depth;
    if (!over) return wait_with_others(what);
    self->turn_away_from_others();
    has_awaited(thread_host(*self), number_);
    return refused::no;
}

// What this worker spawns into the scope from now on is weighed anew (driver/weighing.hpp).
void scope_core::burst_ends() const noexcept {
    if (worker* const self = current) self->own_part().weighs.is_awaited(number_);
}

// A scope may only be awaited once at a time. A second wait would look at the same numbers and wait for the same news.
// If one of the scope's own tasks waits, both waits would last for ever.
scope_core::refused scope_core::wait_with_others(awaited what) noexcept {
    const seated here(home_);
    worker* const self = &here.self();
    if (owner_ != nullptr && self != owner_) return refused::other_worker;
    if (!is_awaited_.put_up()) return refused::second_wait;
    const auto done = [](const void* s) { return static_cast<const scope_core*>(s)->complete(); };
    if (completion_of_scope own{this, self, what}; self == owner_) {
        wait_loop(thread_host(*self), protocol::standing::in_task, own);
        has_awaited(thread_host(*self), number_);
    } else {
        threading::wait_in_task(*self, what, done, this);
    }
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
    // The count of this task, which follows, orders this before the owner's reading.
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
