// One rank as a victim: whom it gives tasks, and whose requests rest with it.
#pragma once

#include <parley/cluster/load.hpp>
#include <parley/cluster/options.hpp>
#include <parley/cluster/sender.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::inline v0::cluster {

class victim {
public:
    victim(const options&, sender&);

    // Answers at once: with tasks, or with nothing, and the request rests here.
    void asked(const header&, load&);
    void declined(const header&);
    // Offers what has come meanwhile to those who wait for it, never more than there is.
    void advance(const load&);
    // There is nothing to give any more.
    void stop() noexcept { has_stopped_ = true; }

    // Ranks that wait here for something to do, or that others wait for who cannot ask here themselves.
    [[nodiscard]] std::uint32_t starving() const noexcept {
        return static_cast<std::uint32_t>(idle_.size() + early_.size());
    }

private:
    // Requests that rest, in the order of their coming; one of each neighbour at most.
    class queue {
    public:
        [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
        [[nodiscard]] std::size_t size() const noexcept { return waiting_.size(); }
        void put(position p);
        void remove(position p);
        position take();

    private:
        std::vector<position> waiting_;
    };
    void end_offer(position to);

    sender* out_;
    std::size_t most_bytes_;
    queue idle_;
    queue early_;
    std::vector<position> offered_;  // who has not said anything since
    bool has_stopped_ = false;
};

}  // namespace parley::inline v0::cluster
