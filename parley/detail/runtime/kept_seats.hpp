// Seats that threads outside keep between two words (kept_seats.cpp): the part of one worker, and that of a pool. The
// keeper takes the lock of its seat as the lock's owner. Any other thread takes it as one of the others.
#pragma once

#include <parley/detail/sync/biased_lock.hpp>
#include <parley/detail/sync/counter.hpp>

namespace parley::inline v0::threading {

class pool;
class worker;

struct kept_seat {
    sync::biased_lock lock;
    sync::published<bool> is_kept{false};
    // Tasks may lie here while nobody sits there, or a barrier waits for the keeper.
    sync::published<bool> leaves_tasks{false};
    // The keeper must hand its tasks on when it leaves, since somebody has come for them and found it there.
    sync::hint<bool> must_hand_on{false};
};

// The kept seats of a pool. Any thread may touch this.
class kept_seats {
public:
    explicit kept_seats(pool& home) noexcept : home_(home) {}

    // Called before other threads know of the pool. From then on threads outside may keep seats.
    void allow() noexcept { are_allowed_ = true; }
    [[nodiscard]] bool are_allowed() const noexcept { return are_allowed_; }

    // The thread that sits there calls this to become the keeper. False: there are as many keepers as there may be.
    [[nodiscard]] bool begin_keeping(worker& self) noexcept;
    void stop_keeping(worker& self) noexcept;

    // Makes jobs of what keepers have left behind. Called before this worker sleeps. False: some is left, for want of
    // memory.
    [[nodiscard]] bool collect(const worker& sleeper) noexcept;
    // Makes such jobs for a worker that has got other work. A keeper that is there hands its tasks on itself when it
    // leaves.
    void collect_beside_work(const worker& self) noexcept;
    [[nodiscard]] bool leave_any_tasks() const noexcept;
    // A barrier asks this about a kept seat. True: the keeper is away, and nothing is left in the seat. False: the
    // keeper tells the worker that scans when it leaves.
    [[nodiscard]] bool is_left_with_nothing(worker& kept) noexcept;
    void tell_who_scans() noexcept;

    // Counts those that want what is left and have no request out that says so: some sleepers, and barriers.
    void begin_wanting() noexcept { wanting_.add(); }
    void end_wanting() noexcept { wanting_.take_off(); }
    [[nodiscard]] bool are_wanted() const noexcept { return wanting_.get() != 0; }
    // Counts suspended sleepers. They want what is left if nobody else takes it.
    void begin_sitting_out() noexcept { sitting_out_.add(); }
    void end_sitting_out() noexcept { sitting_out_.take_off(); }
    [[nodiscard]] bool any_sit_out() const noexcept { return sitting_out_.get() != 0; }

private:
    [[nodiscard]] bool collect_from(worker& kept) noexcept;

    pool& home_;
    bool are_allowed_ = false;
    sync::shared_counter keepers_;
    sync::shared_counter wanting_;
    sync::shared_counter sitting_out_;
};

}  // namespace parley::inline v0::threading
