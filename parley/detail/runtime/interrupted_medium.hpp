// The medium of a signal handler. It allocates nothing, and does not touch what only the interrupted code may take.
#pragma once

#include <parley/detail/driver/deque.hpp>
#include <parley/detail/policy/weighing.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/splittable.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace parley::inline v0::threading {

class interrupted_medium : public thread_medium {
public:
    using thread_medium::thread_medium;

    std::size_t spare() const noexcept {
        const std::size_t queued =
            self_.own_part().tasks.size_when_interrupted() + self_.own_part().high.size_when_interrupted() + in_hand();
        return queued == 0 && self_.own_part().loops.to_split() != nullptr ? 1 : queued;
    }
    void send_tasks(protocol::request_id r, protocol::amount a) noexcept {
        const giving here(self_, r);
        send(r, oldest(r, a));
        raise(self_.id(), protocol::bits::refill);
    }

private:
    parcel oldest(protocol::request_id r, protocol::amount a) noexcept {
        if (self_.own_part().in_hand.isolated_message != nullptr) return message_in_hand();
        const bool high = self_.own_part().high.size_when_interrupted() > 0;
        if (!high && self_.own_part().in_hand.job != nullptr)
            return {std::exchange(self_.own_part().in_hand.job, nullptr), false, 0};
        deque& from = high ? self_.own_part().high : self_.own_part().tasks;
        if (from.size_when_interrupted() == 0) return part_of_loop(r);
        const std::uint64_t region = self_.own_part().region_of(from);
        return {from.take_when_interrupted(a == protocol::amount::half), high, region};
    }
    // Uses the last memory for all that is left, because this worker may not look up for long.
    parcel part_of_loop(protocol::request_id r) noexcept {
        splittable& s = loop_to_split();
        s.times.gives(s.left(), weighing::clock::now());
        return {s.split_off(s, self_, s.ready > 1 ? cut_of(s, r, false) : s.all()), false, s.region};
    }
};

static_assert(protocol::medium<interrupted_medium>);

}  // namespace parley::inline v0::threading
