// All sections of a broker and the messages between them, without threads: from one section to another in the order of
// their sending, between different pairs in any order, which the caller chooses.
#pragma once

#include <broker/policy/log.hpp>
#include <parley/detail/base/rng.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {

class section_network {
public:
    // Called for each outcome, before its messages are delivered.
    using observer = std::function<void(section_id, const outcome&)>;

    section_network(std::shared_ptr<const ownership> table, const std::shared_ptr<const policy>& how, observer look = {})
        : look_(std::move(look)) {
        for (section_id s = 0; s < table->sections(); ++s) sections_.emplace_back(s, table, how);
    }

    void put(section_id s, const input& in) {
        const outcome out = sections_[s].on(in);
        decisions_ += out.decisions.size();
        for (const message& m : out.messages) {
            ++messages_;
            ways_[{m.from, m.to}].push_back(m);
        }
        if (look_) look_(s, out);
    }

    [[nodiscard]] bool is_quiet() const noexcept { return ways_.empty(); }
    // Delivers the next message of a pair chosen by chance. There is one.
    void deliver_one(base::rng& random) {
        auto way = ways_.begin();
        std::advance(way, random.below(static_cast<std::uint32_t>(ways_.size())));
        deliver(way);
    }
    // Delivers everything, and what comes of it. Returns false if that does not end.
    bool deliver_all(std::uint64_t at_most = 1'000'000) {
        for (; !ways_.empty() && at_most > 0; --at_most) deliver(ways_.begin());
        return ways_.empty();
    }

    [[nodiscard]] std::size_t size() const noexcept { return sections_.size(); }
    [[nodiscard]] const section& operator[](std::size_t s) const { return sections_[s]; }
    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
    [[nodiscard]] std::uint64_t decisions() const noexcept { return decisions_; }
    [[nodiscard]] const std::map<std::pair<section_id, section_id>, std::deque<message>>& under_way() const noexcept {
        return ways_;
    }

private:
    using way_map = std::map<std::pair<section_id, section_id>, std::deque<message>>;

    void deliver(way_map::iterator way) {
        const message m = std::move(way->second.front());
        way->second.pop_front();
        if (way->second.empty()) ways_.erase(way);
        put(m.to, m);
    }

    std::vector<section> sections_;
    observer look_;
    way_map ways_;  // none is empty
    std::uint64_t messages_ = 0, decisions_ = 0;
};

}  // namespace parley::inline v0::broker
