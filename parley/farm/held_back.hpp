// Holds what a worker has queued when a task begins to wait for a stream.
#pragma once

#include <parley/detail/runtime/isolation.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <optional>

namespace parley::inline v0::streaming {

// A queued task may be the other end of that stream, or pull until the stream is over. On top of the wait it could not
// end before the wait does. So it begins on a stack of its own (docs/guide/waiting.md).
class held_back {
public:
    explicit held_back(threading::worker& self) {
        if (self.is_isolated()) given_back_.emplace(self);
        else self.hold_all();
    }

private:
    // A restricted wait has no other stack. Later waits must find there the tasks that they may run.
    std::optional<threading::isolation> given_back_;
};

}  // namespace parley::inline v0::streaming
