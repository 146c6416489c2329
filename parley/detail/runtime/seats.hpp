// The seats of a pool: the thread that is worker 0, and visitors. Each thread that comes in or goes touches this. Any
// thread may ask it for a worker by number.
#pragma once

#include <parley/detail/protocol/request.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/event_count.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace parley::inline v0::threading {

class pool;
class worker;

class seats {
public:
    // The numbers after those of the pool's own workers belong to visitors, which are made when they are needed
    // (seats.cpp).
    static constexpr std::uint32_t most_visitors = 256;
    static constexpr std::uint32_t kept_for_stand_ins = 16;  // so many of these are for workers that stand in

    seats(pool& home, std::uint32_t workers) noexcept : home_(home), own_(workers) {}
    // Makes the pool's own workers. Their constructors read members of the pool.
    void begin();
    // For a child of fork(). Tasks and requests stay where they are, and nobody will ever take them up.
    void forget() noexcept;

    // The number of workers and visitors.
    [[nodiscard]] std::uint32_t count() const noexcept { return own_ + visitors_.get(); }
    [[nodiscard]] bool is_visitor(protocol::worker_id id) const noexcept { return id >= own_; }
    [[nodiscard]] worker& at(protocol::worker_id id) const noexcept {
        return is_visitor(id) ? *visitor_seats_[id - own_] : *workers_[id];
    }

    // The calling thread becomes a worker by enter(), and stops being one by leave() (I11). It is worker 0 if no other
    // thread is, and a visitor otherwise. In between `current` is that worker. Not allowed in a child of fork().
    worker& enter() noexcept;
    void leave(worker& self) noexcept;
    // From now on each thread that comes in makes sure that main() waits for its tasks (end_of_process.hpp). Called
    // before other threads know of the pool.
    void wait_with_main_from_now_on() noexcept { waits_with_main_ = true; }

    // For the thread that destroys the pool, when no other thread may come in any more. It waits for all threads that
    // are in the pool, and becomes worker 0.
    void enter_at_the_end() noexcept;
    // A thread that takes no seat is in the runtime between these two calls. The second one is its last access.
    void comes_near() noexcept { inside_.add(); }
    void goes_away() noexcept { inside_.take_off(); }
    // For the thread that destroys the pool, at last: waits for those that are about to leave.
    void wait_for_those_that_leave() const noexcept;
    // As long as the lock lives, nobody sits down as worker 0. The lock owns nothing if somebody is worker 0.
    [[nodiscard]] std::unique_lock<std::mutex> keep_first_seat_free() { return {first_seat_, std::try_to_lock}; }

    // Returns a free seat for a thread that stands in, or null if there are as many seats as there may be. Throws
    // std::bad_alloc.
    [[nodiscard]] worker* seat_for_stand_in();
    void give_back(protocol::worker_id visitor) noexcept;

private:
    struct deletes_worker {
        void operator()(worker* w) const noexcept;
    };
    using owned_worker = std::unique_ptr<worker, deletes_worker>;
    [[nodiscard]] owned_worker make_worker(protocol::worker_id id);
    [[nodiscard]] worker* make_visitor(std::uint32_t most);
    [[nodiscard]] worker* free_seat() noexcept;
    [[nodiscard]] worker* free_visitor() noexcept;
    [[nodiscard]] bool could_be_more_visitors() const noexcept {
        return visitors_.get() < most_visitors - kept_for_stand_ins;
    }
    [[nodiscard]] worker* wait_for_seat() noexcept;
    void tell_of_seat() noexcept;
    void sit_down(worker& self) noexcept;
    void get_up(worker& self) noexcept;

    pool& home_;
    const std::uint32_t own_;
    bool waits_with_main_ = false;  // written before others know of the pool
    std::vector<owned_worker> workers_;
    // Seats below visitors_ exist. They are made under visitors_mutex_. Other threads hear of a seat's number later, by
    // channels, so they read the seat without the mutex.
    std::unique_ptr<owned_worker[]> visitor_seats_;
    sync::published<std::uint32_t> visitors_{0};
    std::vector<protocol::worker_id> free_visitors_;
    std::vector<worker*> seat_wanted_;  // workers of other runtimes that wait for a seat; under visitors_mutex_
    std::mutex visitors_mutex_;
    sync::event_count outside_;    // threads that wait for a seat, and are no workers
    std::mutex first_seat_;        // held by the thread that is worker 0
    sync::shared_counter inside_;  // threads between the first and the last access of enter() and leave()
};

// Between begin_as() and end_as() the calling thread acts as this worker on this stack.
void begin_as(worker& self) noexcept;
void end_as(worker& self) noexcept;

}  // namespace parley::inline v0::threading
