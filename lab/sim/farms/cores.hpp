// The lanes of a virtual farm on their cores: what they have, who of those that share a core runs, until when.
#pragma once

#include <lab/sim/farms/report.hpp>
#include <lab/sim/timed/event_queue.hpp>
#include <lab/sim/timed/machine.hpp>
#include <parley/detail/base/rng.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace parley::inline v0::sim::farms {

// Who is where, on the machine and in the queue of events.
inline constexpr std::uint32_t emitter_place = 0, collector_place = 1, first_core = 2;

// An item, or a fake task if it has an episode.
struct order {
    std::uint64_t item = 0;
    std::uint64_t episode = 0;
    moment arrives = 0;
};

// Whom lanes tell.
class lane_owner {
public:
    // Fakes are told as soon as a lane comes to them; an item when it is done, and on its way to the collector.
    virtual void fake_executed(std::size_t lane, std::uint64_t episode, moment at) = 0;
    virtual void level_sank(moment at) = 0;
    virtual void collect(std::uint64_t item, moment at) = 0;

protected:
    ~lane_owner() = default;
};

class cores {
public:
    cores(const setup& s, lane_owner& owner, timed::machine& places, timed::event_queue& queue);

    [[nodiscard]] std::size_t level(std::size_t number) const noexcept { return lanes_[number].level; }
    [[nodiscard]] std::size_t lanes() const noexcept { return lanes_.size(); }
    [[nodiscard]] bool are_empty() const noexcept;

    // By the emitter, whose clock is returned: after it has read a level, which may lie with the lane; after it has
    // put something into a lane's inbox.
    [[nodiscard]] moment read_level(std::size_t number, moment now);
    [[nodiscard]] moment give(std::size_t number, order o, moment now);

    // An event of a core.
    void turn(std::uint32_t core, moment now);

    [[nodiscard]] const lane_report& of(std::size_t number) const noexcept { return lanes_[number].report; }

private:
    struct lane {
        duration item = 0;
        std::uint32_t place = 0;
        std::deque<order> inbox;
        std::size_t level = 0;  // items given and not done
        bool works = false;     // on `current`
        order current;
        duration left = 0;   // of it
        moment free_at = 0;  // until then it passes on its last result
        timed::cache_line inbox_line, done_line;
        lane_report report;
    };
    struct core {
        std::vector<std::uint32_t> lanes;
        std::size_t next = 0;  // whose turn it is, of those
        bool runs = false;     // one of them, since:
        moment since = 0;
        moment begun = 0;  // its turn, or its item
        moment slice_ends = 0;
    };

    [[nodiscard]] static bool can_run(const lane& l, moment now) noexcept {
        return l.works || (!l.inbox.empty() && l.inbox.front().arrives <= now);
    }
    [[nodiscard]] bool another_can_run(const core& c, moment now) const noexcept;
    void go_on(core& c, moment now);
    void begin(lane& l, moment now);
    void end(std::size_t number, moment now);
    void show(const core& c, moment now) const;
    [[nodiscard]] duration length_of(std::uint64_t item, const lane& l) const noexcept;
    [[nodiscard]] moment touch(timed::cache_line& l, std::uint32_t place, moment now) const noexcept;

    const setup& setup_;
    const timed::costs& cost_;
    lane_owner& owner_;
    timed::machine& places_;
    timed::event_queue& queue_;
    std::vector<lane> lanes_;
    std::vector<core> cores_;
    timed::cache_line results_line_;  // the collector's inbox
};

// The draw of an item, for one purpose: the same whoever works on it, under every schedule.
[[nodiscard]] inline base::rng draw_of(const setup& s, std::uint64_t item, std::uint64_t purpose) noexcept {
    base::rng mixed(s.seed * 4 + purpose);
    return base::rng(mixed.next() + item);
}

}  // namespace parley::inline v0::sim::farms
