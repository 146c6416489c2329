#include <parley/detail/runtime/continuation.hpp>

#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/seats.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <new>

namespace parley::inline v0::threading {

namespace {

// The next one is read before the call, which may free the continuation.
void call_all(sync::continuation* first, worker* self) noexcept {
    for (sync::continuation* c = first; c != nullptr;) {
        auto* const one = static_cast<continuation*>(c);
        c = c->next;
        one->call(one, self);
    }
}

}  // namespace

void tell_of_end(worker& self, sync::future_word::woken whom, const void* cause) noexcept {
    if (!whom.waiters().nobody()) tell_of_end(self, whom.waiters(), cause);
    call_all(whom.first(), &self);
}

void tell_of_end_outside(pool& home, sync::future_word::woken whom) noexcept {
    home.notify(whom.waiters());
    call_all(whom.first(), nullptr);
}

staying_inside::staying_inside(pool& home) noexcept : home_(home) { home_.seats().comes_near(); }
staying_inside::~staying_inside() { home_.seats().goes_away(); }

void awaiting_job::begin_to_await(worker& self, bool is_from_elsewhere) {
    isolated_in_ = self.is_isolated() ? self.own_part().limits.region : 0;
    home_ = &self.home();
    home_->start_threads();
    is_counted_ = is_from_elsewhere;
    if (is_counted_) home_->exchange().jobs_sent.add();
}

void awaiting_job::awaits_nothing(worker& self) const noexcept {
    if (is_counted_) thread_medium(self).publish_received();
}

// If the sender is no worker of the runtime, the job is counted.
void awaiting_job::send(worker* self) noexcept {
    pool& home = *home_;
    if (self == nullptr || &self->home() != &home) return send_counted_job(home, *this);
    auto& hand = self->own_part().in_hand;
    if (hand.job == nullptr && self->takes_jobs() && !self->is_visiting()) {
        awaits_nothing(*self);
        hand.job = this;
        self->own_part().must_tidy = true;
        // The task that runs may go on for long. A thief that comes later has it interrupted.
        try {
            if (self->is_wanted()) self->serve_others();
        } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the next look tries again
        }
        return;
    }
    if (isolated_in_ != 0 && self->is_isolated() && self->own_part().limits.region == isolated_in_) {
        // The waits of that isolation take no jobs. This is the task of one that was made inside.
        const bool counted = is_counted_;  // read now, because a handler may give it to another worker at once
        try {
            self->push(this);
            if (counted) thread_medium(*self).publish_received();
            return;
        } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it becomes a job
        }
    }
    if (!is_counted_) home.exchange().jobs_sent.add();
    home.exchange().jobs.send(this);
    home.tell_of_jobs();
}

void send_counted_job(pool& home, job& j) noexcept {
    const staying_inside here(home);
    home.exchange().jobs.send(&j);
    home.tell_of_jobs();
}

}  // namespace parley::inline v0::threading
