#include <broker/daemon/process_room.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

namespace parley::inline v0::broker::service {
namespace {

nanoseconds count(const core_set& cores) noexcept {
    nanoseconds n = 0;
    for (const std::uint64_t word : cores) n += static_cast<nanoseconds>(std::popcount(word));
    return n;
}

}  // namespace

nanoseconds process_room::add(nanoseconds room) {
    const std::lock_guard lock(mutex_);
    nanoseconds held = 0;
    for (const auto& [p, cores] : held_) held += count(cores);
    if (held > 0) room = room * count(all_cores()) / held;
    return sum_ += room;
}

void process_room::holds(program_id p, const core_set& cores) {
    const std::lock_guard lock(mutex_);
    held_[p] = cores;
}

bool process_room::leaves(program_id p) {
    const std::lock_guard lock(mutex_);
    held_.erase(p);
    standing_.erase(p);
    return !held_.empty();
}

core_set process_room::cores() const {
    const std::lock_guard lock(mutex_);
    return all_cores();
}

core_set process_room::all_cores() const {
    core_set all{};
    for (const auto& [p, cores] : held_)
        for (std::size_t i = 0; i < all.size(); ++i) all[i] |= cores[i];
    return all;
}

nanoseconds process_room::bound_at() const {
    const std::lock_guard lock(mutex_);
    return bound_at_;
}

tree_clock::reading process_room::read(const subject& who, nanoseconds at, nanoseconds age, look_budget& budget) {
    std::unique_lock lock(mutex_);
    tree_clock& c = clock(who.is_tree);
    if (const auto last = c.last(at, age)) return *last;
    if (is_busy_ || !c.is_due(at) || !budget.has_some(at)) return c.guess(at);
    is_busy_ = true;
    lock.unlock();
    const nanoseconds begin = thread_time();
    const std::optional<nanoseconds> ran = c.look(who.pid, who.pidfd);
    const nanoseconds leader = who.is_tree ? run_time(who.pid, who.pidfd).value_or(0) : 0;
    const nanoseconds cost = thread_time() - begin;
    lock.lock();
    is_busy_ = false;
    budget.charge(cost);
    c.charge(at, cost);
    return c.note(ran, at, leader);
}

process_room::outcome process_room::keep(program_id p, standing how, const subject& who, nanoseconds at,
                                         nanoseconds patience, look_budget& budget) {
    std::unique_lock lock(mutex_);
    standing_[p] = how;
    if (is_busy_ || !clock(who.is_tree).is_due(at)) return {};
    if (!under_way_) under_way_ = next_step(how, who, at, patience);
    if (!under_way_ || !budget.has_some(at)) return {};
    return go_on(lock, who, at, &budget);
}

std::optional<process_room::step> process_room::next_step(standing how, const subject& who, nanoseconds at,
                                                          nanoseconds patience) const {
    const core_set all = all_cores();
    if (bound_to_) {
        const bool all_follow = std::all_of(standing_.begin(), standing_.end(),
                                            [](const auto& entry) { return entry.second == standing::follows; });
        // Threads that it has bound by itself are elsewhere.
        if (all_follow) return step{deed::free, *bound_to_, all, tree_is_bound_};
        if (all != *bound_to_) return step{deed::shift, *bound_to_, all, tree_is_bound_};
    }
    if (how != standing::strays || at - std::min(bound_at_, at) < patience) return std::nullopt;
    return step{deed::bind, {}, all, who.is_tree};
}

// One part of what is under way, without the lock.
process_room::outcome process_room::go_on(std::unique_lock<std::mutex>& lock, const subject& who, nanoseconds at,
                                          look_budget* budget) {
    step s = *under_way_;
    is_busy_ = true;
    lock.unlock();
    const nanoseconds begin = thread_time();
    confined done;
    if (s.what == deed::bind)
        done = s.of_tree ? confine_tree(who.pid, who.pidfd, s.to) : confine(who.pid, who.pidfd, s.to, s.next);
    else if (s.of_tree) set_tree_free(who.pid, who.pidfd, s.from, s.to);
    else done.next = set_free(who.pid, who.pidfd, s.from, s.to, s.next);
    const nanoseconds cost = thread_time() - begin;
    lock.lock();
    is_busy_ = false;
    if (budget != nullptr) budget->charge(cost);
    clock(s.of_tree).charge(at, cost);
    if (s.what == deed::bind && done.moved > 0) {
        bound_to_ = s.to;
        tree_is_bound_ = s.of_tree;
    }
    s.next = done.next;
    under_way_ = s;
    if (s.next != 0) return {done.moved, done.refused, false};
    under_way_.reset();
    if (s.what == deed::bind) bound_at_ = at;
    if (s.what == deed::shift) bound_to_ = s.to;
    if (s.what == deed::free) bound_to_.reset();
    return {done.moved, done.refused, s.what == deed::free};
}

bool process_room::give_back(const subject& who, const core_set& to, nanoseconds at, look_budget* budget) {
    std::unique_lock lock(mutex_);
    if (!held_.empty() || (!under_way_ && !bound_to_)) return true;
    if (is_busy_ || (budget != nullptr && !budget->has_some(at))) return false;
    if (!under_way_) under_way_ = step{deed::free, *bound_to_, to, tree_is_bound_};
    (void)go_on(lock, who, at, budget);
    return !under_way_ && !bound_to_;
}

}  // namespace parley::inline v0::broker::service
