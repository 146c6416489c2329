#include <broker/daemon/greeting.hpp>

#include <broker/policy/section.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <variant>

namespace parley::inline v0::broker::service {
namespace {

template <class Packet>
Packet packet_in(std::span<const std::byte> received) {
    Packet p;
    std::memcpy(&p, received.data(), sizeof p);
    return p;
}

// Empty, if nothing is.
std::string wrong_with(const hello& h, const machine& here) {
    if (h.most == 0) return "a program has one worker at least";
    if (h.weight == 0 || h.weight > most_weight) return "weights are 1 to " + std::to_string(most_weight);
    if (h.is_led > 1 || h.unused != 0) return "a field has a value without a meaning";
    if (std::find(h.name.begin(), h.name.end(), '\0') == h.name.end()) return "the name has no end";
    const auto is_allowed = [&](std::uint32_t n) { return allows(h, n); };
    if (std::none_of(here.number.begin(), here.number.end(), is_allowed))
        return "it may run on none of the cores that are shared here";
    return {};
}

}  // namespace

std::variant<hello, observe, std::string> read_greeting(std::span<const std::byte> received, std::size_t size,
                                                        const machine& here) {
    if (size < sizeof(packet_head)) return "too short for a packet";
    const auto head = packet_in<packet_head>(received);
    if (head.magic != packet_magic) return "not a packet of this broker";
    if (head.version != packet_version)
        return "version " + std::to_string(head.version) + ", the broker has " + std::to_string(packet_version);
    if (head.type == packet_type::observe && size == sizeof(observe)) return packet_in<observe>(received);
    if (head.type != packet_type::hello) return "the first packet is hello or observe";
    if (size != sizeof(hello)) return "hello has " + std::to_string(sizeof(hello)) + " bytes, not " + std::to_string(size);
    const auto h = packet_in<hello>(received);
    if (std::string wrong = wrong_with(h, here); !wrong.empty()) return wrong;
    return h;
}

}  // namespace parley::inline v0::broker::service
