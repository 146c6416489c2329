#include <parley/farm/flow.hpp>

#include <parley/detail/driver/wait_loop.hpp>
#include <parley/detail/runtime/thread_host.hpp>
#include <parley/errors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

namespace parley::inline v0::streaming {

namespace {

// Returns the calling thread as a worker of this pool, or null.
threading::worker* here(const threading::pool& home) noexcept {
    threading::worker* const self = threading::current;
    return self != nullptr && &self->home() == &home ? self : threading::worker_in(home);
}

struct end_or_cancellation {
    static constexpr threading::awaited awaits = threading::awaited::stream;
    threading::scope_core& core;
    threading::worker& self;
    bool operator()() const noexcept { return self.cancelling() || core.complete_by_news(self); }
    bool may_hold() const noexcept { return self.cancelling() || core.may_be_complete(self); }
};

}  // namespace

flow::flow(threading::worker& owner, const bounds& b)
    : core_(owner.home(), &owner), older_(owner), bounds_(b), tokens_(b.tokens) {
    core_.count_spawned_outside();
}

void flow::run_errand(threading::task* t, threading::worker& self) {
    auto& e = *static_cast<errand*>(t);
    flow& f = *e.of;  // read first: after the run the errand may be spawned again, or gone
    f.core_.before_task(self);
    self.count_task();
    if (self.cancelling()) [[unlikely]]
        f.fail(std::make_exception_ptr(cancelled{}));
    e.act(e);
    f.core_.count_done(self);  // the last access to the flow
}

void flow::spawn(errand& e) noexcept {
    e.of = this;
    e.run = &run_errand;
    threading::worker* const self = here(home());
    if (self == nullptr) {
        core_.count_spawned_outside();
        home().submit(&e);
        return;
    }
    try {
        core_.count_spawned(*self);
    } catch (const std::bad_alloc&) {
        core_.count_spawned_outside();
    }
    try {
        self->push(&e);
    } catch (const std::bad_alloc&) {
        home().submit(&e);  // needs no memory; it is not run here, because the caller may hold a lock that it takes
        return;
    }
    self->serve();
}

void flow::fail(std::exception_ptr what) noexcept {
    if (!failed_.put_up()) return;
    failure_ = std::move(what);
    for (failure_listener* const l : listeners_) l->flow_failed();
    if (source_ != nullptr) source_->wake();  // the source may wait for something that nobody will bring
}

void flow::fail_with_current_exception() noexcept { fail(std::current_exception()); }

void flow::look_up() noexcept {
    threading::worker* const self = here(home());
    if (self == nullptr) return;
    if (self->cancelling()) [[unlikely]]
        fail(std::make_exception_ptr(cancelled{}));
    self->serve();
}

void flow::stop() noexcept {
    if (stopping_.put_up() && source_ != nullptr) source_->wake();
}

std::size_t flow::next_batch() const noexcept {
    if (bounds_.fixed_batch != 0) return std::min(bounds_.fixed_batch, bounds_.longest_batch);
    std::size_t least = bounds_.longest_batch;
    for (const batch_size* s : sizes_) least = std::min(least, s->get());
    return least;
}

void flow::source_ended() noexcept {
    if (tokens_.end()) finish();
}

void flow::give_back(std::uint64_t tokens) noexcept {
    switch (tokens_.give(tokens)) {
        case sync::credits::given::nothing: break;
        case sync::credits::given::resume: source_->wake(); break;
        case sync::credits::given::finished: finish(); break;
    }
}

void flow::wait() {
    end_or_cancellation first{core_, *core_.owner()};
    threading::wait_loop(threading::thread_host(first.self), protocol::standing::in_task, first);
    // A stream that waits for other threads begins no batch, so it would not notice the cancellation.
    if (!core_.complete()) fail(std::make_exception_ptr(cancelled{}));
    core_.wait(threading::awaited::stream);
    if (failed_.is_up()) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace parley::inline v0::streaming
