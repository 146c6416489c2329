// One rank as a thief: whom it asks, and when it stops asking.
//
// A rank has at most one request out (I1). Who has nothing keeps the request's mark (it rests there) and answers
// `nothing`; then the next neighbour is asked. After all of them the thief is silent: whichever of them has tasks to
// spare later offers them, and is asked again. Nobody polls, and no answer comes that was not asked for.
#pragma once

#include <parley/cluster/load.hpp>
#include <parley/cluster/options.hpp>
#include <parley/cluster/sender.hpp>
#include <parley/detail/base/rng.hpp>
#include <parley/detail/protocol/stealing.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace parley::inline v0::cluster {

class thief {
public:
    thief(std::span<const position> neighbours, const options&, sender&);

    // What it wants now: nothing, tasks for itself, or for those `starving` ranks that rest here.
    struct need {
        bool is_idle = false;
        std::uint32_t starving = 0;
    };
    void advance(const need&, const load&);
    void offered(const header& h) { offers_.push_back(h.from); }
    void answered_nothing();
    void answered_tasks(const load&);
    // Wants nothing any more: the work is done.
    void stop() noexcept { has_stopped_ = true; }

    [[nodiscard]] bool is_out() const noexcept { return is_out_; }

private:
    std::optional<position> next_victim();
    void ask(position, const need&, const load&);

    sender* out_;
    stealing how_;
    base::rng random_;
    protocol::steal_adaptive adaptive_;
    std::vector<position> order_;  // this round's
    std::size_t next_ = 0;
    bool is_in_round_ = false;
    bool round_is_early_ = false;
    bool is_out_ = false;
    bool has_stopped_ = false;
    position last_victim_ = 0;
    bool has_victim_ = false;
    position asked_ = 0;
    std::deque<position> offers_;
};

}  // namespace parley::inline v0::cluster
