#include <lab/explore/scene.hpp>

#include <lab/explore/scheduler.hpp>

namespace parley::explore {

explored::explored() noexcept { set_explored(true); }
explored::~explored() { set_explored(false); }

void check(bool holds, const char* what) noexcept {
    if (!holds) end_execution(verdict::wrong, what);
}

void let_others_wait() noexcept {
    while (others_can_go_on()) yield();
}

void give_way() noexcept { yield(); }

}  // namespace parley::explore
