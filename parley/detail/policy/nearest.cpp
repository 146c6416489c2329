#include <parley/detail/policy/nearest.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::inline v0::threading {

nearest_map::nearest_map(std::uint32_t workers, const std::vector<std::uint32_t>& distance) : workers_(workers) {
    const std::size_t victims = workers - 1;
    victims_.reserve(workers * victims);
    groups_.reserve(workers * victims);
    for (protocol::worker_id thief = 0; thief < workers; ++thief) {
        const auto far = [&](protocol::worker_id v) { return distance[std::size_t{thief} * workers + v]; };
        const auto first = static_cast<std::ptrdiff_t>(victims_.size());
        for (protocol::worker_id v = 0; v < workers; ++v)
            if (v != thief) victims_.push_back(v);
        const auto begin = victims_.begin() + first;
        std::stable_sort(begin, victims_.end(), [&](auto a, auto b) { return far(a) < far(b); });
        for (std::uint32_t i = 0, end; i < victims; i = end) {
            for (end = i; end < victims && far(begin[end]) == far(begin[i]);) ++end;
            groups_.insert(groups_.end(), end - i, {i, end});
        }
    }
}

}  // namespace parley::inline v0::threading
