#include <parley/runtime/wait.hpp>

#include <parley/runtime/wait_loop.hpp>

namespace parley::inline v0::threading {

namespace {
struct any_condition {
    bool (*done)(const void*);
    const void* context;
    bool operator()() const { return done(context); }
    bool may_hold() const { return done(context); }
};
}  // namespace

void wait(worker& self, protocol::standing where, bool (*done)(const void*), const void* context) {
    any_condition condition{done, context};
    wait_loop(self, where, condition);
}

suspended_wait* help(worker& self) {
    self.depth = 1;  // not the root
    self.spawned_inline = 0;
    self.kept_by_task = nullptr;
    if (self.record != nullptr) self.record->stack = self.suspended.number_of_stack();
    another_can_go_on condition{&self};
    wait_loop(self, protocol::standing::between_tasks, condition);
    return condition.found;
}

}  // namespace parley::inline v0::threading
