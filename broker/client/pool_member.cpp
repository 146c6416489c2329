#include <broker/client/pool_member.hpp>

#include <broker/client/broker_path.hpp>
#include <broker/client/clock.hpp>
#include <parley/detail/base/environment.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/versioned.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace parley::inline v0 {

namespace broker {

namespace {

constexpr worker_state state_of(threading::doing what) noexcept {
    switch (what) {
        case threading::doing::useful: return worker_state::useful;
        case threading::doing::stealing: return worker_state::stealing;
        case threading::doing::mugging: return worker_state::mugging;
        case threading::doing::parked: break;
    }
    return worker_state::parked;
}

std::uint32_t lines_of(const threading::pool& p) noexcept { return std::min(p.size(), most_page_workers); }

}  // namespace

pool_member::pool_member(threading::pool& home, const std::string& socket) : home_(home), accounts_(lines_of(home)) {
    client_options how;
    how.socket = socket;
    how.most = home.size();
    how.allowed = own_threads::cores_of_process();
    const char* const named = base::environment_variable("PARLEY_BROKER");
    how.says_if_alone = named != nullptr && named == socket;
    client_calls calls;
    calls.on_allotment = [this](const allotment& a) { follow(a); };
    calls.on_turn = [this](const allotment& a) { follow(a); };
    calls.on_feedback_page = [this](feedback_page* p) { begin_page(p); };
    calls.on_lost = [this] { lose(); };
    client_.emplace(std::move(how), std::move(calls));
}

// The clock is read where the state changes only. Who has not been told of a new page writes once more on the old one,
// which stays mapped (client.hpp).
void pool_member::does(protocol::worker_id w, threading::doing what) noexcept {
    feedback_page* const page = page_.get();
    // A child of fork() does not have the page.
    if (page == nullptr || w >= accounts_.size() || !home_.is_of_this_process()) return;
    account& mine = accounts_[w];
    worker_line& line = page->lines[w];
    if (mine.page != page) {  // goes on from what begin_page() has written
        mine = {.page = page, .since = sync::part(line.since), .state = static_cast<worker_state>(sync::part(line.state))};
    }
    const nanoseconds at = now();
    const nanoseconds length = at - std::min(at, mine.since);
    switch (mine.state) {
        case worker_state::useful: mine.useful += length; break;
        case worker_state::stealing: mine.steal += length; break;
        case worker_state::mugging: mine.mug += length; break;
        default: break;
    }
    mine.since = at;
    mine.state = state_of(what);
    const std::uint64_t steals = home_.at(w).counted().steals;
    sync::write_whole(line.version, [&] {
        sync::set_part(line.state, static_cast<std::uint32_t>(mine.state));
        sync::set_part(line.since, mine.since);
        sync::set_part(line.useful, mine.useful);
        sync::set_part(line.steal, mine.steal);
        sync::set_part(line.mug, mine.mug);
        sync::set_part(line.steals, steals);
    });
}

// Nobody writes on a page before it is published, so what its workers do now is written for them. One that changes that
// at this very moment may be shown wrongly until it changes it again.
void pool_member::begin_page(feedback_page* page) {
    if (page == nullptr) {
        page_.set(nullptr);
        return;
    }
    const nanoseconds at = now();
    for (std::uint32_t w = 0; w < accounts_.size(); ++w) {
        sync::set_part(page->lines[w].state, static_cast<std::uint32_t>(state_of(home_.at(w).does_now())));
        sync::set_part(page->lines[w].since, at);
    }
    show_threads(*page, cores_);
    sync::set_part(page->workers, static_cast<std::uint32_t>(accounts_.size()));
    page_.set(page);
}

// Which core a worker is meant for; the system may run it on any that the program has.
void pool_member::show_threads(feedback_page& page, const std::vector<core_id>& cores) const {
    for (std::uint32_t w = 0; w < accounts_.size(); ++w) {
        sync::set_part(page.lines[w].thread, static_cast<std::uint32_t>(home_.at(w).thread_number()));
        if (!cores.empty()) sync::set_part(page.lines[w].core, cores[w % cores.size()]);
    }
}

// First the threads move, then workers go: whoever waits for the cores that are given up has them at once, and who is
// still to end a task does so beside the others.
void pool_member::follow(const allotment& given) {
    const std::scoped_lock guard(mutex_);
    if (has_let_go_) return;
    cores_ = given.cores_at(now());
    std::vector<pid_t> own;
    std::vector<own_threads::bound_thread> bound;
    if (const pid_t inside = home_.at(0).thread_number(); inside != 0) own.push_back(inside);
    for (protocol::worker_id w = 1; w < home_.size(); ++w) {
        const pid_t thread = thread_of(w);
        if (home_.settings().bind == binding::none) own.push_back(thread);
        else bound.push_back({thread, cores_[w % cores_.size()]});
    }
    const bool has_moved = threads_.confine(cores_, own, bound);
    home_.resizing().resize(std::clamp<std::uint32_t>(static_cast<std::uint32_t>(cores_.size()), 1, home_.size()));
    if (feedback_page* const page = page_.get()) {
        show_threads(*page, cores_);
        if (has_moved) sync::set_part(page->followed, given.generation);
    }
}

// It has been started, and says its number as soon as it runs.
pid_t pool_member::thread_of(protocol::worker_id w) const {
    int thread = 0;
    while ((thread = home_.at(w).thread_number()) == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    return thread;
}

void pool_member::let_go() noexcept {
    const std::scoped_lock guard(mutex_);
    has_let_go_ = true;
}

void pool_member::lose() {
    const std::scoped_lock guard(mutex_);
    if (has_let_go_) return;
    cores_.clear();
    threads_.release();
    home_.resizing().resize(home_.size());
}

}  // namespace broker

}  // namespace parley::inline v0

const parley::threading::broker_client* parley_broker_client() noexcept {
    using namespace parley;
    static constexpr threading::broker_client client{
        [](threading::pool& home, const std::string& socket) -> std::unique_ptr<threading::feedback_sink> {
            return std::make_unique<broker::pool_member>(home, socket);
        },
        [](const char* value) { return broker::broker_path(value).value_or(std::string()); }};
    return &client;
}
