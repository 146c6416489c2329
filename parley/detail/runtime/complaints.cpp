#include <parley/detail/runtime/complaints.hpp>

#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/thread.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

namespace parley::inline v0::threading {

bool noted_waits::lock_unless_kept() const noexcept {
    constexpr int turns = 1000;
    for (int i = 0; i < turns; ++i) {
        if (mutex_.try_lock()) return true;
        give_way();
    }
    return false;
}

namespace {

constexpr sync::attention::bits ended = 1;
constexpr int looks_in_the_time = 8;

double seconds_of(noted_wait::clock::duration lasted) noexcept { return std::chrono::duration<double>(lasted).count(); }

// The waits of one worker: the oldest one that people are to be told of, and the number of suspended ones.
struct found {
    bool any = false;
    awaited what = awaited::something;
    noted_wait::state now = noted_wait::state::awake;
    noted_wait::clock::duration lasted{0};
    unsigned suspended = 0;
};

found find_due(const worker& w, noted_wait::clock::time_point now, noted_wait::clock::duration after) {
    found f;
    (void)to_people(w).waits.each([&](noted_wait& wait) {
        if (wait.now() == noted_wait::state::suspended) ++f.suspended;
        const auto lasted = now - wait.since();
        if (lasted < std::max(after, 2 * wait.told_after)) return;
        wait.told_after = lasted;
        if (f.any) return;
        f.any = true;
        f.what = wait.what();
        f.now = wait.now();
        f.lasted = lasted;
    });
    return f;
}

void show_queues(const own_state& own, shown_to_people& shown) noexcept {
    shown.queued.set(own.queued());
    shown.held.set(own.tasks.held() + own.high.held());
    shown.is_isolated.set(own.limits.isolated);
}

// Returns words for what the worker does meanwhile.
std::string words_about(const worker& w, const found& f, noted_wait::clock::duration quiet, bool is_busy) {
    std::string words = f.now == noted_wait::state::suspended ? "suspended; its worker " : "its thread ";
    if (is_busy) words += "goes on with other tasks";
    else if (w.shared_part().attention.is_asleep()) words += "sleeps";
    else words += "is awake and has begun no task " + words_for(quiet);
    if (to_people(w).is_isolated.get()) words += ", isolated";
    return words;
}

}  // namespace

std::string words_for(noted_wait::clock::duration lasted) {
    char text[40];
    std::snprintf(text, sizeof text, "since %.1f s", seconds_of(lasted));
    return text;
}

std::string words_for(const worker& w) {
    const std::string number = "worker " + std::to_string(w.id());
    switch (to_people(w).whose.get()) {
        case seat_of::other_worker: return number + ", a visitor from another runtime,";
        case seat_of::stand_in: return number + ", which stands in for one that blocks,";
        case seat_of::outside: return w.home().is_visitor(w.id()) ? number + ", a visitor," : number;
        case seat_of::own_thread: break;
    }
    return number;
}

complainer::~complainer() {
    if (runs_.is_down_acquire()) return;
    ends_.raise_and_wake(ended);
    pthread_join(thread_, nullptr);
}

// If the thread cannot be started, nobody complains.
void complainer::begin() noexcept {
    if (wanted_.is_up() || !wanted_.put_up()) return;
    try {
        thread_ = start_thread(0, this, [](void* me) -> void* {
            static_cast<complainer*>(me)->work();
            return nullptr;
        });
        runs_.put_up();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
    }
}

void complainer::end_has_to_wait(ending of) noexcept {
    what_ends_.set(of);
    end_waits_since_.set(clock::now().time_since_epoch().count());
    begin();
}

void complainer::work() noexcept {
    sync::parker sleeper(ends_, ended);
    while (sleeper.prepare()) {
        sleeper.commit_for(after_ / looks_in_the_time);
        try {
            look();
        } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): there is no memory for it
        }
    }
}

void complainer::look() {
    const auto now = clock::now();
    seen_.resize(home_.seats().count(), seen{.tasks = 0, .changed = now});
    for (protocol::worker_id id = 0; id < seen_.size(); ++id) look_at(id, now);
    look_at_end(now);
}

void complainer::look_at(protocol::worker_id id, clock::time_point now) {
    const worker& w = home_.at(id);
    seen& before = seen_[id];
    if (const std::uint64_t tasks = w.tasks_run(); tasks != before.tasks) before = {tasks, now};
    const auto quiet = now - before.changed;
    const bool is_busy = quiet < after_;
    const found f = find_due(w, now, is_busy ? patience_with_the_busy * after_ : after_);
    if (!f.any) return;
    const unsigned others = f.suspended - (f.now == noted_wait::state::suspended ? 1 : 0);
    std::fprintf(stderr,
                 "parley: %s of a runtime with %u waits for %s %s (%s; %u more waits are suspended on it; %llu tasks "
                 "queued); parley::dump_state() says more\n",
                 words_for(w).c_str(), home_.size(), name_of(f.what), words_for(f.lasted).c_str(),
                 words_about(w, f, quiet, is_busy).c_str(), others,
                 static_cast<unsigned long long>(to_people(w).queued.get()));
}

void complainer::look_at_end(clock::time_point now) {
    const clock::rep since = end_waits_since_.get();
    if (since == 0) return;
    const auto lasted = now - clock::time_point(clock::duration(since));
    if (lasted < std::max(after_, 2 * told_of_end_after_)) return;
    told_of_end_after_ = lasted;
    if (what_ends_.get() == ending::process) {
        std::fprintf(stderr, "parley: the process is to end %s, but tasks are left in the default runtime:\n",
                     words_for(lasted).c_str());
        home_.dump_state(stderr);
        return;
    }
    std::string who;
    for (protocol::worker_id id = 0; id < home_.seats().count(); ++id) {
        const worker& w = home_.at(id);
        const int thread = to_people(w).thread.get();
        if (const seat_of s = to_people(w).whose.get(); thread == 0 || s == seat_of::own_thread || s == seat_of::stand_in)
            continue;
        who += (who.empty() ? "" : ", ") + ("worker " + std::to_string(id)) + " is thread " + std::to_string(thread);
    }
    std::fprintf(stderr,
                 "parley: a runtime with %u workers is to be destroyed %s, but threads are in it (%s); "
                 "parley::dump_state() says more\n",
                 home_.size(), words_for(lasted).c_str(), who.c_str());
}

void note_wait(worker& self, noted_wait& w, noted_wait::state becomes) noexcept {
    show_queues(self.own_part(), to_people(self));
    if (w.what() == awaited::nothing) return;
    to_people(self).waits.add(w);
    to_people(self).waits.becomes(w, becomes);
    if (complainer* const c = self.home().who_complains()) c->begin();
}

}  // namespace parley::inline v0::threading
