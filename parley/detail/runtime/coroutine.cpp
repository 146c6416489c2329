#include <parley/detail/runtime/coroutine.hpp>

#include <parley/detail/driver/waiting.hpp>
#include <parley/detail/runtime/isolation.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/errors.hpp>

#include <coroutine>
#include <utility>

namespace parley::inline v0::threading {

namespace {

void run_from(worker& self, std::coroutine_handle<> first) noexcept {
    resumption here{first, self.new_group()};
    resumption* const outer = std::exchange(self.own_part().stack.coroutines, &here);
    do {
        here.ends = false;
        std::exchange(here.next, nullptr).resume();
    } while (here.next != nullptr);
    self.own_part().stack.coroutines = outer;
}

resumption& now_running(worker& self) noexcept { return *self.own_part().stack.coroutines; }

}  // namespace

void coroutine::begin(task* t, worker& self) {
    auto* const me = static_cast<coroutine*>(t);
    self.turn_away();
    self.count_task();
    if (self.cancelling() || me->chain_->stop.stop_requested()) return me->chain_->end(*me, self);
    run_from(self, me->frame_);
}

void coroutine::go_on_here(task* t, worker& self) {
    auto* const me = static_cast<coroutine*>(t);
    self.turn_away();
    me->resume(self);
}

// What was made inside an isolation stays isolated (isolation.hpp).
void coroutine::resume(worker& self) noexcept {
    const std::coroutine_handle<> frame = frame_;
    if (isolated_in_ == 0 || self.is_isolated()) return run_from(self, frame);
    const isolation here(self);
    run_from(self, frame);
}

void coroutine::end_here(task* t, worker& self) {
    auto* const me = static_cast<coroutine*>(t);
    self.turn_away();
    me->chain_->end(*me, self);
}

void coroutine::check(worker& self) const {
    self.poll();
    if (chain_->stop.stop_requested()) throw cancelled{};
}

void coroutine::begin_for(coroutine& parent) {
    if (parent.chain_->stop.stop_requested()) throw cancelled{};
    parent_ = &parent;
    chain_ = parent.chain_;
    now_running(*current).next = frame_;
}

// The newest task of this worker, if it is the one whose result that is, and a wait would begin with it (run_if_newest()
// in wait.cpp). Only coroutines that have not begun have this function.
coroutine* coroutine::take_if_it_is_next(worker& self, const sync::future_word& result) noexcept {
    if (self.needs_care_between_tasks() || self.is_to_go() || self.cancelling()) return nullptr;
    task* const newest = self.pop();
    if (newest == nullptr) return nullptr;
    if (newest->run == &begin) {
        auto* const other = static_cast<coroutine*>(newest);
        if (other->chain_->of == &result && !other->chain_->stop.stop_requested()) return other;
    }
    self.push(newest);  // its slot is still there
    return nullptr;
}

bool coroutine::must_stay(bool is_from_elsewhere) const {
    worker& self = *current;
    if (!is_from_elsewhere || !self.is_isolated()) return false;
    check(self);
    return true;
}

bool coroutine::suspend_until(sync::future_word& done, bool is_from_elsewhere) {
    worker& self = *current;
    begin_to_suspend(is_from_elsewhere);  // it may throw, so it comes first
    if (coroutine* const other = take_if_it_is_next(self, done)) {
        (void)done.attach(*this);  // nobody else can complete it
        self.count_task();
        now_running(self).next = other->frame_;
        return true;
    }
    if (done.attach(*this)) return true;
    never_mind();
    return false;
}

void coroutine::begin_to_suspend(bool is_from_elsewhere) {
    worker& self = *current;
    check(self);
    begin_to_await(self, is_from_elsewhere);
    run = &go_on_here;
    suspended_in_ = now_running(self).number;
}

void coroutine::never_mind() const noexcept { awaits_nothing(*current); }

void coroutine::what_it_awaits_has_come(continuation* c, worker* self) noexcept { static_cast<coroutine*>(c)->go_on(self); }

// Where the coroutine whose end this was is at the place of the stack where this one has suspended, this one goes on there.
// All that lies below was below it before. Elsewhere a task may lie below that it waits for.
void coroutine::go_on(worker* self) noexcept {
    if (self == nullptr) return send(self);
    resumption* const here = self->own_part().stack.coroutines;
    if (here != nullptr && here->ends && here->next == nullptr && here->number == suspended_in_) {
        awaits_nothing(*self);
        here->next = frame_;
        return;
    }
    send(self);
}

// The runtime in which the chain began counts it as a job that was sent, until it comes back (I4).
bool coroutine::suspend_and_go_to(pool& there) {
    worker& self = *current;
    check(self);
    if (&self.home() == &there) return false;
    there.start_threads();
    pool& first = *chain_->home;
    run = &go_on_here;
    isolated_in_ = 0;
    if (&self.home() == &first) first.exchange().jobs_sent.add();
    if (&there != &first) there.exchange().jobs_sent.add();
    send_counted_job(there, *this);
    return true;
}

void coroutine::has_ended() noexcept {
    worker& self = *current;
    resumption& here = now_running(self);
    if (parent_ != nullptr) {
        here.next = parent_->frame_;
    } else if (&self.home() == chain_->home) {
        here.ends = true;
        chain_->end(*this, self);
    } else {
        run = &end_here;
        send_counted_job(*chain_->home, *this);
    }
}

}  // namespace parley::inline v0::threading
