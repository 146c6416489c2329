// What a worker has queued when a task begins to wait for a stream.
#pragma once

#include <parley/detail/runtime/isolation.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <optional>

namespace parley::inline v0::streaming {

// It may be the other end of that very stream, or pull until the stream is over. Begun on top of the wait it could
// not end before it, so it is to begin on a stack of its own (docs/guide/waiting.md).
class held_back {
public:
    explicit held_back(threading::worker& self) {
        if (self.isolated) given_back_.emplace(self);
        else self.hold_all();
    }

private:
    // A restricted wait has no other stack: those that come after this one must find there what they may run.
    std::optional<threading::isolation> given_back_;
};

}  // namespace parley::inline v0::streaming
