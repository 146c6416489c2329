// Tasks that a worker gives up become jobs: before its thread goes elsewhere, blocks, or is suspended. That thread
// calls these functions, or a thread that holds the lock of the worker's kept seat.
#pragma once

#include <cstdint>

namespace parley::inline v0::threading {

struct task;
class worker;

// The isolation that a job was made in, or 0. Such a job begins before anything else, as an answer out of that isolation
// does (isolation.hpp).
[[nodiscard]] std::uint64_t isolation_of(const task* j) noexcept;

// Hands on all tasks of the worker.
void hand_on_tasks(worker& self);
// Hands on the isolated tasks that have come and not begun.
void hand_on_message(worker& self);
// Hands on what has come and lies in no deque yet, and the tasks that are held: those of other stacks, and from elsewhere.
void hand_on_held(worker& self);
// Hands on what has come and lies in no deque yet, and the tasks that were not made inside the isolation that runs. So it
// does with the rest of loops that began outside of any isolation.
void hand_on_outside(worker& self);
// Hands on the iterations that have not begun of all loops that the worker is in.
void hand_on_loops(worker& self);
// Hands on tasks and loops without running any of them; what is in the deque goes by one message. Tasks that cannot go,
// for want of memory, stay.
void give_up_tasks(worker& self) noexcept;
// Hands on the answers that have come. What is in the deque stays.
void hand_on_answers(worker& self);
// Withdraws the worker's requests, hands on the answers that come, and closes its mailbox. What is in the deque stays.
void become_nobodys_victim(worker& self);
// Hands on tasks until the worker has none, no request out, and a closed mailbox. Then it is nobody's victim (I11).
void hand_on_all(worker& self);
// Ends the worker's suspended waits. Called before its thread goes elsewhere.
void finish_suspended(worker& self) noexcept;
// Ends what the worker has begun, and hands on the rest. Then the worker is nobody's victim.
void give_all_away(worker& self) noexcept;

}  // namespace parley::inline v0::threading
