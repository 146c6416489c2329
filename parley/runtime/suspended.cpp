#include <parley/runtime/suspended.hpp>

#include <parley/base/contract.hpp>
#include <parley/runtime/switch_stack.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace parley::inline v0::threading {

struct suspended_waits::helping {
    helping(suspended_waits& owner, worker& self, helping_work what)
        : waits(owner), who(self), work(what), stack(owner.stack_size_, &begin_helping, this) {}

    suspended_waits& waits;
    worker& who;
    helping_work work;
    fiber stack;
};

suspended_waits::suspended_waits(std::size_t stack_size) noexcept : stack_size_(stack_size) {}

suspended_waits::~suspended_waits() { PARLEY_REQUIRE(!any()); }

suspended_wait* suspended_waits::ready() noexcept {
    if (newest_ == nullptr) return nullptr;
    if (count_ > looks && newest_->can_go_on()) return newest_;
    if (count_ <= looks) turn_ = nullptr;
    for (std::size_t i = std::min(count_, looks); i > 0; --i) {
        suspended_wait* const w = turn_ != nullptr ? turn_ : oldest_;
        turn_ = w->newer;
        if (w->can_go_on()) return w;
    }
    return nullptr;
}

bool suspended_waits::any_ready() const {
    suspended_wait* w = newest_;
    while (w != nullptr && !w->can_go_on()) w = w->older;
    return w != nullptr;
}

fiber* suspended_waits::helper(worker& self, helping_work work) noexcept {
    if (idle_ != nullptr) return idle_;
    try {
        helpers_.push_back(std::make_unique<helping>(*this, self, work));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    idle_ = &helpers_.back()->stack;
    return idle_;
}

std::uint16_t suspended_waits::number_of_stack() const noexcept {
    const auto found = std::find_if(helpers_.begin(), helpers_.end(),
                                    [this](const auto& h) { return &h->stack == running_; });
    return found == helpers_.end() ? std::uint16_t{0} : static_cast<std::uint16_t>(found - helpers_.begin() + 1);
}

// A helper works until a suspended wait can go on, goes on with it, and is idle until it is called again.
// Its tasks see the rounding mode of the wait that they help, as they would on top of it.
void suspended_waits::begin_helping(void* argument) noexcept {
    auto& me = *static_cast<helping*>(argument);
    for (;;) {
        set_floating_point_control(me.waits.floating_point_control_);
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

void suspended_waits::add(suspended_wait& wait) noexcept {
    wait.on = running_;
    wait.older = newest_;
    (newest_ != nullptr ? newest_->newer : oldest_) = &wait;
    newest_ = &wait;
    ++count_;
}

void suspended_waits::remove(const suspended_wait& wait) noexcept {
    if (turn_ == &wait) turn_ = wait.newer;
    (wait.older != nullptr ? wait.older->newer : oldest_) = wait.newer;
    (wait.newer != nullptr ? wait.newer->older : newest_) = wait.older;
    --count_;
}

void suspended_waits::switch_to(fiber& other) noexcept {
    fiber& mine = *std::exchange(running_, &other);
    mine.switch_to(other);
}

}  // namespace parley::inline v0::threading
