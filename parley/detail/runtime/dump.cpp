// dump_state() shows what workers publish. It reads nobody's private deque, and waits for nothing.
#include <parley/detail/driver/states.hpp>
#include <parley/detail/driver/suspended_wait.hpp>
#include <parley/detail/runtime/dump_worker.hpp>
#include <parley/detail/runtime/noted_waits.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/stacks/fiber.hpp>
#include <parley/detail/stacks/mapped_memory.hpp>
#include <parley/detail/sync/of_this_process.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::threading {

namespace {

const char* name_of(protocol::request_state s) {
    switch (s) {
        case protocol::request_state::home: return "home";
        case protocol::request_state::circulating: return "circulating";
        case protocol::request_state::resting: return "resting";
        case protocol::request_state::taken: break;
    }
    return "taken";
}

std::string names_of(protocol::bits::word word) {
    namespace bits = protocol::bits;
    const std::pair<bits::word, const char*> all[] = {{sync::attention::asleep, "asleep"},
                                                      {bits::mail, "mail"},
                                                      {bits::lobby, "lobby"},
                                                      {bits::tasks, "tasks"},
                                                      {bits::news, "news"},
                                                      {bits::scan, "scan"},
                                                      {bits::released, "released"},
                                                      {bits::stop, "stop"},
                                                      {bits::cancel, "cancel"},
                                                      {bits::start, "not started"},
                                                      {bits::jobs, "jobs"},
                                                      {bits::refill, "refill"},
                                                      {bits::wants_jobs, "wants jobs"},
                                                      {bits::message, "message"}};
    std::string names;
    for (const auto& [bit, name] : all)
        if ((word & bit) != 0) names += (names.empty() ? "" : ", ") + std::string(name);
    return names.empty() ? "nothing" : names;
}

struct all_pools {
    std::mutex mutex;
    std::vector<const pool*> pools;
};
constinit sync::of_this_process<all_pools> pools_here;

}  // namespace

pool::shown_in_dumps::shown_in_dumps(const pool& p) : pool_(p) {
    all_pools& all = pools_here.get();
    const std::scoped_lock guard(all.mutex);
    all.pools.push_back(&p);
}

pool::shown_in_dumps::~shown_in_dumps() {
    all_pools* const all = pools_here.look();
    if (all == nullptr) return;  // the process is a child of fork(), and the pool its parent's
    const std::scoped_lock guard(all->mutex);
    std::erase(all->pools, &pool_);
}

void pool::dump_all(std::FILE* out) {
    all_pools* const all = pools_here.look();
    if (all == nullptr) return;
    // This does not wait for the mutex, since it may be called because something hangs.
    const std::unique_lock guard(all->mutex, std::try_to_lock);
    if (!guard.owns_lock()) {
        std::fputs("parley: a runtime is being made, destroyed or shown\n", out);
        return;
    }
    for (const pool* const p : all->pools) p->dump_state(out);
}

void pool::dump_state(std::FILE* out) const {
    std::fprintf(out, "parley: %u workers, %u of them active, manager %u, jobs %s, barrier %s\n", size(), active(),
                 exchange_.manager.get(), exchange_.jobs.empty() ? "none" : "waiting",
                 exchange_.barrier_open.get() ? "open" : "closed");
    const mapped_memory memory;
    for (protocol::worker_id id = 0; id < seats_.count(); ++id) {
        const worker& w = at(id);
        const worker_counters c = w.counted();
        // Where requests circulate, nobody claims them. Their letters say where they are.
        std::fprintf(out, "  worker %u: %s", id, w.machine_part().standing(w.shown_part().standing.idle.get()));
        if constexpr (circulates()) {
            for (const own_request* const r : {&w.request_part(0), &w.request_part(1)})
                std::fprintf(out, "; letter %s%s", r->letter_away.is_down_acquire() ? "home" : "away",
                             r->answer.peek() ? ", answer waiting" : "");
        } else {
            for (std::uint32_t slot = 0; slot < tuning_.requests; ++slot) {
                const own_request& r = w.request_part(slot);
                std::fprintf(out, "; request %s%s%s", name_of(r.state.get()),
                             exchange_.lobby.holds(protocol::request_of(id, slot)) ? ", in the lobby" : "",
                             r.answer.peek() ? ", answer waiting" : "");
            }
        }
        std::fprintf(out,
                     "; mailbox %s; attention: %s; answers sent %llu, "
                     "received %llu; tasks %llu, steals %llu, sleeps %llu\n",
                     w.shared_part().letters.is_closed() ? "closed" : "open",
                     names_of(w.shared_part().attention.get()).c_str(),
                     static_cast<unsigned long long>(w.shown_part().standing.sent.get()),
                     static_cast<unsigned long long>(w.shown_part().standing.received.get()),
                     static_cast<unsigned long long>(c.tasks), static_cast<unsigned long long>(c.steals),
                     static_cast<unsigned long long>(c.sleeps));
        dump_thread(w, memory, out);
        dump_waits(w, memory, out);
    }
}

}  // namespace parley::inline v0::threading

#ifndef PARLEY_MACHINE  // a program that has the library twice has these once (protocol/machine.hpp)

// A debugger calls these functions while all threads stand still (share/gdb/parley.py). It may know no types, so they
// return plain words and addresses, and nothing is inline. They stand beside what every runtime needs. So they are
// linked wherever there is a runtime.
extern "C" {

struct parley_suspended_wait {
    const void* registers;  // in the order of switch_stack.cpp
    const char* what;       // what the wait is for
    std::uint64_t thread;   // the kernel's number of the thread that will go on with it
    std::uint64_t seconds;  // for so long
};

[[gnu::used]] void parley_dump_state() {
    parley::threading::pool::dump_all(stderr);
    std::fflush(stderr);
}

// Returns the suspended wait with that number, counted from 0 in all runtimes of this process. Null: there are fewer,
// or a thread keeps the mutex. The result is valid until the next call.
[[gnu::used]] const parley_suspended_wait* parley_suspended(std::size_t number) {
    using namespace parley::threading;
    static parley_suspended_wait found;
    all_pools* const all = pools_here.look();
    if (all == nullptr) return nullptr;
    const std::unique_lock guard(all->mutex, std::try_to_lock);
    if (!guard.owns_lock()) return nullptr;
    std::size_t seen = 0;
    for (const pool* const p : all->pools)
        for (parley::protocol::worker_id id = 0; id < p->seats().count(); ++id) {
            const worker& w = p->at(id);
            (void)to_people(w).waits.each([&](const noted_wait& n) {
                if (n.now() != noted_wait::state::suspended || n.suspended_as == nullptr || n.suspended_as->on == nullptr ||
                    seen++ != number)
                    return;
                const auto lasted = noted_wait::clock::now() - n.since();
                found = {n.suspended_as->on->registers(), name_of(n.what()),
                         static_cast<std::uint64_t>(to_people(w).thread.get()),
                         static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(lasted).count())};
            });
        }
    return seen > number ? &found : nullptr;
}
}

#endif
