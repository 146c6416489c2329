// How the end is detected: waves down and up a tree (Mattern, Algorithms for distributed termination detection, 1987).
//
// The root begins a wave; each rank passes it on at once, and reports when it may: itself passive and all its
// children's reports in. A report sums up the messages sent and received in its subtree. Everybody is done when as many
// were received at the first of two waves as were sent at the second: nothing can have moved in between
// (docs/internals/cluster.md has the proof). A barrier is one wave without the counting.
#pragma once

#include <parley/cluster/overlay.hpp>
#include <parley/cluster/sender.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {

class waves {
public:
    waves(position parent, std::span<const position> children, bool is_root, sender& out)
        : parent_(parent), children_(children.begin(), children.end()), is_root_(is_root), out_(&out) {}

    // The root's, or the parent's, next wave: it goes on to the children.
    void begin(std::uint32_t number);
    // A child's report. Returns false for one of an earlier wave.
    bool reported(const header&, bytes said);

    // This rank may report: all its children have.
    [[nodiscard]] bool is_due() const noexcept { return is_open_ && reports_ == children_.size(); }
    // Not the root: sends the sums up, with what its subtree has to say.
    void report(std::uint64_t sent, std::uint64_t received, bytes said);
    // The root: whether nothing has moved since the wave before.
    bool end(std::uint64_t sent, std::uint64_t received);
    // To all children: what follows.
    void tell(message_kind what, const bytes& said = {});
    // What is counted from now on is something else.
    void forget() noexcept { has_earlier_ = false; }

    [[nodiscard]] bool is_open() const noexcept { return is_open_; }
    [[nodiscard]] bool is_root() const noexcept { return is_root_; }
    [[nodiscard]] std::uint32_t number() const noexcept { return number_; }
    // What the children said, of this wave.
    [[nodiscard]] std::span<const bytes> said() const noexcept { return said_; }

private:
    position parent_;
    std::vector<position> children_;
    bool is_root_;
    sender* out_;
    std::uint32_t number_ = 0;
    bool is_open_ = false;
    std::size_t reports_ = 0;
    std::uint64_t sent_ = 0, received_ = 0;
    std::vector<bytes> said_;
    bool has_earlier_ = false;
    std::uint64_t received_earlier_ = 0;
};

}  // namespace parley::inline v0::cluster
