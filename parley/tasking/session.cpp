#include <parley/tasking/session.hpp>

#include <parley/detail/policy/settled_options.hpp>
#include <parley/detail/runtime/barrier.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/errors.hpp>
#include <parley/options.hpp>
#include <parley/tasking/complain.hpp>
#include <parley/tasking/tasking_calls.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <pthread.h>
#include <system_error>

namespace parley::inline v0::tasking {

constinit sync::installed_once<session> the_session;

namespace {

constinit sync::shared_counter sessions;

options chosen_options() {
    options chosen = options::from_environment();
    if (const unsigned n = workers_from_environment("TASKING_NUM_WORKERS")) chosen.workers = n;
    return chosen;
}

std::uint64_t next_number() noexcept { return 1 + sessions.add() % session::numbers; }

// In a child of fork(), the parent's session has neither threads nor a root task.
bool is_of_parent(const session* s) noexcept { return s != nullptr && !s->pool().is_of_this_process(); }

void begin() {
    session* const before = current_session();
    if (before != nullptr && !is_of_parent(before)) complain("TASKING_INIT again: TASKING_EXIT must come before");
    auto fresh = std::make_unique<session>(chosen_options(), next_number());
    if (the_session.install(fresh.get(), before) != nullptr) complain("TASKING_INIT in two threads at once");
    (void)fresh.release();
}

// Without the root task nobody ends the workers, which would sleep for ever. This destructor runs where a thread ends,
// by pthread_exit() or by returning. Unlike those of thread_local objects it does not run when the process ends.
void root_thread_ends(void* its_session) noexcept {
    if (!is_of_parent(static_cast<const session*>(its_session)))
        complain("the thread of the root task ends without TASKING_EXIT");
}

pthread_key_t key_of_root_thread() {
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        if (const int failed = pthread_key_create(&made, root_thread_ends))
            throw std::system_error(failed, std::generic_category(), "pthread_key_create");
        return made;
    }();
    return key;
}

void set_session_of_root_thread(const session* s) {
    if (const int failed = pthread_setspecific(key_of_root_thread(), s))
        throw std::system_error(failed, std::generic_category(), "pthread_setspecific");
}

}  // namespace

void complain_of_place(const session* now, const char* what) noexcept {
    if (now == nullptr) complain("%s before TASKING_INIT, or after TASKING_EXIT", what);
    if (is_of_parent(now)) complain("%s in a child of fork(), which has none of its parent's threads", what);
    complain("%s on a thread that runs no task: only the root task and what it makes may do that", what);
}

session::session(const options& chosen, std::uint64_t number)
    : number_(number), pool_(chosen, threading::tuning_from_environment()) {
    for (std::uint64_t id = 0; id < pool_.size() + threading::seats::most_visitors; ++id)
        places_.push_back(std::make_unique<place>(depot_, (number << worker_bits) + id));
    set_session_of_root_thread(this);
    pool_.start_threads();
    pool_.roots().begins();
    (void)pool_.seats().enter();  // nobody else can be in it
    root_.emplace(pool_.at(0));
}

void session::barrier() { threading::barrier(pool_.at(0)); }

void session::end() noexcept {
    root_->sync();
    barrier();
    root_.reset();
    pool_.seats().leave(pool_.at(0));
    pool_.roots().ends();
    set_session_of_root_thread(nullptr);
}

}  // namespace parley::inline v0::tasking

using namespace parley;  // NOLINT(google-build-using-namespace): what follows has C's names

extern "C" {

void parley_tasking_init(void) {
    try {
        tasking::begin();
    } catch (const std::exception& e) {
        tasking::complain("TASKING_INIT: %s", e.what());
    }
}

void parley_tasking_exit(void) {
    const threading::worker& self = tasking::this_worker("TASKING_EXIT");
    tasking::session* const now = tasking::current_session();
    if (!self.at_root()) tasking::complain("TASKING_EXIT in a child task: only the root task may end all others");
    now->end();
    (void)tasking::the_session.install(nullptr, now);
    delete now;
}

void parley_tasking_barrier(void) {
    const threading::worker& self = tasking::this_worker("TASKING_BARRIER");
    if (!self.at_root())
        tasking::complain(
            "TASKING_BARRIER in a child task: only the root task, between TASKING_INIT and TASKING_EXIT, "
            "may wait for all others");
    tasking::current_session()->barrier();
}

unsigned parley_tasking_workers(void) {
    const tasking::session* const now = tasking::current_session();
    if (now != nullptr && now->pool().is_of_this_process()) return now->pool().size();
    try {
        return threading::settled(tasking::chosen_options()).workers;
    } catch (const std::exception& e) {
        tasking::complain("tasking_workers: %s", e.what());
    }
}

int parley_tasking_worker_index(void) {
    const threading::worker* const self = threading::current;
    const tasking::session* const now = tasking::current_session();
    return self != nullptr && now != nullptr && now->has(*self) ? static_cast<int>(self->id()) : -1;
}

void parley_tasking_poll(void) {
    if (threading::worker* const self = threading::current) self->serve();
}

}  // extern "C"
