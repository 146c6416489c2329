// Channels for users (TH §3.1.2).
#include <parley/detail/sync/shared_ring.hpp>
#include <parley/tasking/complain.hpp>
#include <parley/tasking/tasking.h>

#include <cstddef>
#include <new>

struct parley_tasking_channel : parley::sync::shared_ring {
    using shared_ring::shared_ring;
};

namespace {

using parley::sync::ends;
using parley::tasking::complain;

ends ends_of(unsigned type) noexcept {
    switch (type) {
        case MPMC: return ends::many_to_many;
        case MPSC: return ends::many_to_one;
        case SPSC: return ends::one_to_one;
        default: complain("channel_alloc: %u is no type of channel; MPMC, MPSC and SPSC are", type);
    }
}

void require(const parley_tasking_channel* channel, const void* data, std::size_t bytes, const char* what) noexcept {
    if (channel == nullptr) complain("%s: there is no channel", what);
    if (bytes > channel->message_bytes())
        complain("%s: %zu bytes over a channel for messages of up to %zu", what, bytes, channel->message_bytes());
    if (data == nullptr && bytes != 0) complain("%s: there is no data", what);
}

}  // namespace

extern "C" {

parley_tasking_channel* parley_tasking_channel_alloc(size_t bytes, unsigned capacity, unsigned type) {
    const ends which = ends_of(type);
    if (bytes == 0) complain("channel_alloc: messages of 0 bytes; at least 1 is needed");
    if (capacity == 0) complain("channel_alloc: a capacity of 0 messages; at least 1 is needed");
    try {
        return new parley_tasking_channel(bytes, capacity, which);
    } catch (const std::bad_alloc&) {
        complain("channel_alloc: there is no memory for %u messages of %zu bytes", capacity, bytes);
    }
}

void parley_tasking_channel_free(parley_tasking_channel* channel) { delete channel; }

bool parley_tasking_channel_send(parley_tasking_channel* channel, const void* data, size_t bytes) {
    require(channel, data, bytes, "channel_send");
    return channel->send(data, bytes);
}

bool parley_tasking_channel_receive(parley_tasking_channel* channel, void* data, size_t bytes) {
    require(channel, data, bytes, "channel_receive");
    return channel->receive(data, bytes);
}

unsigned parley_tasking_channel_peek(parley_tasking_channel* channel) {
    require(channel, nullptr, 0, "channel_peek");
    return static_cast<unsigned>(channel->count());
}

}  // extern "C"
