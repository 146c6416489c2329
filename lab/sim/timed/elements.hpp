// Which worker has the elements of a loop's iterations in its cache: the one that has run the iteration last.
#pragma once

#include <parley/detail/protocol/request.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::timed {

class elements {
public:
    // Worker `who` runs iteration `i` of the loops of this kind. Returns who has run it before: no_worker, if nobody has.
    protocol::worker_id move(std::uint32_t loop, std::uint64_t i, protocol::worker_id who) {
        if (loop >= holders_.size()) holders_.resize(loop + 1);
        std::vector<protocol::worker_id>& of = holders_[loop];
        if (i >= of.size()) of.resize(static_cast<std::size_t>(i) + 1, protocol::no_worker);
        return std::exchange(of[static_cast<std::size_t>(i)], who);
    }

private:
    std::vector<std::vector<protocol::worker_id>> holders_;  // of each kind of loop, of each iteration
};

}  // namespace parley::inline v0::sim::timed
