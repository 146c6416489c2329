#include <parley/runtime/suspended.hpp>

#include <parley/base/contract.hpp>

#include <new>
#include <utility>

namespace parley::inline v0::threading {

struct suspended_waits::helping {
    helping(suspended_waits& owner, worker& self, void (*what)(worker&))
        : waits(owner), who(self), work(what), stack(owner.stack_size_, &begin_helping, this) {}

    suspended_waits& waits;
    worker& who;
    void (*work)(worker&);
    fiber stack;
};

suspended_waits::suspended_waits(std::size_t stack_size) noexcept : stack_size_(stack_size) {}

suspended_waits::~suspended_waits() { PARLEY_REQUIRE(!any()); }

suspended_wait* suspended_waits::ready() const {
    suspended_wait* w = oldest_;
    while (w != nullptr && !w->can_go_on()) w = w->next;
    return w;
}

fiber* suspended_waits::helper(worker& self, void (*work)(worker&)) noexcept {
    if (idle_ != nullptr) return idle_;
    try {
        helpers_.reserve(helpers_.size() + 1);
        helpers_.push_back(std::make_unique<helping>(*this, self, work));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    idle_ = &helpers_.back()->stack;
    return idle_;
}

// A helper works until a suspended wait can go on, goes on with it, and is idle until it is called again.
void suspended_waits::begin_helping(void* argument) noexcept {
    auto& me = *static_cast<helping*>(argument);
    for (;;) {
        me.work(me.who);
        suspended_wait* const next = me.waits.ready();
        PARLEY_REQUIRE(next != nullptr);
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
    add(wait);
    switch_to(helper);
}

void suspended_waits::add(suspended_wait& wait) noexcept {
    wait.on = running_;
    suspended_wait** end = &oldest_;
    while (*end != nullptr) end = &(*end)->next;
    *end = &wait;
    ++count_;
}

void suspended_waits::remove(const suspended_wait& wait) noexcept {
    suspended_wait** at = &oldest_;
    while (*at != &wait) at = &(*at)->next;
    *at = wait.next;
    --count_;
}

void suspended_waits::switch_to(fiber& other) noexcept {
    fiber& mine = *std::exchange(running_, &other);
    mine.switch_to(other);
}

}  // namespace parley::inline v0::threading
