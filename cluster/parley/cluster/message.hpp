// What travels between ranks: a header, and bytes behind it where there are some.
#pragma once

#include <parley/cluster/overlay.hpp>
#include <parley/cluster/serial.hpp>

#include <cstdint>
#include <type_traits>

namespace parley::inline v0::cluster {

inline constexpr std::uint32_t protocol_mark = 0x50726C79;  // "Prly"
inline constexpr std::uint32_t protocol_version = 1;

enum class message_kind : std::uint8_t {
    request,   // thief to neighbour: `count` tasks or half of yours, `room` bytes of them at most
    tasks,     // its answer: `count` of them
    nothing,   // its answer: the request rests with the neighbour now
    offer,     // neighbour to the thief whose request rested there: ask again
    decline,   // the thief does not need it any more
    results,   // for owners that lie in this direction
    wave,      // parent to child: what have you sent and received?
    report,    // child to parent: the sums of its subtree
    finished,  // parent to child: there is no task any more
    closed,    // parent to child: nor any message but this one
};
inline constexpr int message_kinds = 10;

struct header {
    std::uint32_t mark = protocol_mark;
    std::uint32_t version = protocol_version;
    std::uint32_t set_number = 0;  // which set of tasks; numbered by the order of their making, the same on every rank
    std::uint32_t epoch = 0;       // how many ranks were lost before
    std::uint32_t types = 0;       // a hash of the types of its tasks, the same on every rank
    position from = 0;
    message_kind kind = message_kind::request;
    bool is_early = false;    // a request of a rank that still has something to do
    bool half = false;        // a request for half of what the victim has
    std::uint8_t unused = 0;  // no byte of it is left to chance
    std::uint32_t count = 0;
    std::uint32_t wave = 0;  // a wave's number
    std::uint32_t also_unused = 0;
    std::uint64_t size = 0;      // bytes behind the header
    std::uint64_t padding = 0;   // more of them, which only a simulated network sends (writer::pad)
    std::uint64_t room = 0;      // see `request`
    std::uint64_t sent = 0;      // `report`
    std::uint64_t received = 0;  // `report`
};
static_assert(sizeof(header) == 80 && std::is_trivially_copyable_v<header>);

// Waves, reports and what follows from them; all others are counted, so that a wave can see what is on its way.
[[nodiscard]] constexpr bool is_of_waves(message_kind k) noexcept { return k >= message_kind::wave; }

// Takes what a rank has to say.
class outbox {
public:
    virtual void send(position to, const header&, bytes payload) = 0;

protected:
    ~outbox() = default;
};

}  // namespace parley::inline v0::cluster
