// The way of results to the rank that owns their tasks (Fontenaille et al. 2018, §4.2).
//
// A result goes to the neighbour that is nearest to its owner, and from there on likewise. Results that meet on their
// way to the same neighbour travel in one message from there on, those of one owner side by side.
#pragma once

#include <parley/cluster/load.hpp>
#include <parley/cluster/options.hpp>
#include <parley/cluster/overlay.hpp>
#include <parley/cluster/sender.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace parley::inline v0::cluster {

class router {
public:
    router(const overlay&, const options&, sender&);

    // Of a task that ran here for another rank. `data` is a serialised result, or the text of what it threw.
    void add(position owner, std::uint64_t id, bool has_failed, std::span<const std::byte> data);
    // A message full of them: what is for this rank is handed over, the rest goes on.
    void received(reader&, load&);
    // Sends what is large enough, or everything.
    void flush(bool everything);

    [[nodiscard]] bool empty() const noexcept { return buffered_ == 0; }

private:
    struct group {
        std::uint32_t results = 0;
        bytes data;
    };
    struct buffer {
        std::map<position, group> of;  // by owner
        std::size_t size = 0;
    };
    group& group_of(position owner, std::size_t adds);
    void send(position hop, buffer&);

    const overlay* graph_;
    sender* out_;
    bool is_direct_;
    std::size_t enough_;
    std::map<position, buffer> by_hop_;
    std::size_t buffered_ = 0;  // bytes in all of them
};

}  // namespace parley::inline v0::cluster
