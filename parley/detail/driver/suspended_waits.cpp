#include <parley/detail/driver/suspended_waits.hpp>

#include <parley/detail/stacks/switch_stack.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace parley::inline v0::threading {

struct suspended_waits::helping {
    helping(suspended_waits& owner, void* worker, helping_work what)
        : waits(owner),
          who(worker),
          work(what),
          number(static_cast<std::uint16_t>(owner.helpers_.size() + 1)),
          stack(owner.stack_size_, &begin_helping, this) {}

    suspended_waits& waits;
    void* who;
    helping_work work;
    std::uint16_t number;
    fiber stack;
};

suspended_waits::suspended_waits(std::size_t stack_size) noexcept : stack_size_(stack_size) {}

suspended_waits::~suspended_waits() = default;

// After news any of the quiet waits may be ready.
void suspended_waits::take_note_of(std::uint32_t news) noexcept {
    if (news == news_seen_) return;
    news_seen_ = news;
    to_look_at_.take_all(quiet_);
}

// A wait that can go on stays where it is, because its worker may have to return from another wait first.
suspended_wait* suspended_waits::look_at_next() noexcept {
    suspended_wait& w = to_look_at_.first();
    if (w.can_go_on()) return &w;
    wait_list::remove(w);
    quiet_.add_last(w);
    return nullptr;
}

suspended_wait* suspended_waits::ready(std::uint32_t news) noexcept {
    take_note_of(news);
    for (std::size_t left = looks; left > 0 && !to_look_at_.empty(); --left)
        if (suspended_wait* const found = look_at_next()) return found;
    const suspended_wait* const end = without_cause_.empty() ? nullptr : &without_cause_.last();
    for (std::size_t left = looks; left > 0 && !without_cause_.empty(); --left) {
        suspended_wait& w = without_cause_.first();
        if (w.can_go_on()) return &w;
        wait_list::remove(w);
        without_cause_.add_last(w);
        if (&w == end) break;
    }
    return nullptr;
}

bool suspended_waits::any_ready(std::uint32_t news) noexcept {
    take_note_of(news);
    while (!to_look_at_.empty())
        if (look_at_next() != nullptr) return true;
    const auto can = [](const suspended_wait& w) { return w.can_go_on(); };
    if (without_cause_.find(can) != nullptr) return true;
    suspended_wait* const quiet = quiet_.find(can);
    if (quiet != nullptr) is_next(*quiet);
    return quiet != nullptr;
}

deadline suspended_waits::first_deadline() const noexcept {
    deadline first = no_deadline;
    (void)without_cause_.find([&first](const suspended_wait& w) {
        first = std::min(first, w.last);
        return false;
    });
    return first;
}

void suspended_waits::is_next(suspended_wait& w) noexcept {
    wait_list::remove(w);
    to_look_at_.add_first(w);
}

bool suspended_waits::ended(const void* cause) noexcept {
    bool any = false;
    for (suspended_wait* w = by_cause_.find(cause); w != nullptr; w = waits_by_cause::next_of_same(*w)) {
        if (!w->can_go_on()) continue;
        is_next(*w);
        any = true;
    }
    if (any) ++news_seen_;
    return any;
}

fiber* suspended_waits::helper(void* worker, helping_work work) noexcept {
    if (idle_ != nullptr) return idle_;
    try {
        by_cause_.reserve(helpers_.size() + 1);  // there are as many waits as stacks, except the one that runs
        helpers_.push_back(std::make_unique<helping>(*this, worker, work));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    idle_ = &helpers_.back()->stack;
    return idle_;
}

// A helper works until a suspended wait can go on, switches to it, and is idle until it is called again. Its tasks see
// the rounding mode of the wait that it helps, as they would on top of that wait.
void suspended_waits::begin_helping(void* argument) noexcept {
    auto& me = *static_cast<helping*>(argument);
    for (;;) {
        set_floating_point_control(me.waits.floating_point_control_);
        me.waits.number_of_stack_ = me.number;
        suspended_wait* const next = me.work(me.who);
        me.stack.next = std::exchange(me.waits.idle_, &me.stack);
        me.waits.remove(*next);
        me.waits.switch_to(*next->on);
    }
}

void suspended_waits::suspend(suspended_wait& wait, suspended_wait& other) noexcept {
    remove(other);
    add(wait);
    switch_to(*other.on);
}

void suspended_waits::suspend(suspended_wait& wait, fiber& helper) noexcept {
    idle_ = std::exchange(helper.next, nullptr);
    floating_point_control_ = floating_point_control();
    add(wait);
    switch_to(helper);
}

// The wait is to be looked at: news that were noted since its worker looked may have made its condition true.
void suspended_waits::add(suspended_wait& wait) noexcept {
    wait.on = running_;
    ++count_;
    if (wait.cause == nullptr) return without_cause_.add_last(wait);
    by_cause_.add(wait);
    to_look_at_.add_last(wait);
}

void suspended_waits::remove(suspended_wait& wait) noexcept {
    --count_;
    wait_list::remove(wait);
    if (wait.cause != nullptr) by_cause_.remove(wait);
}

void suspended_waits::switch_to(fiber& other) noexcept {
    fiber& mine = *std::exchange(running_, &other);
    mine.switch_to(other);
}

}  // namespace parley::inline v0::threading
