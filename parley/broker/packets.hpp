// What goes over the broker's socket (SOCK_SEQPACKET): programs come and go by it, and are told that their allotment has
// changed. One struct is one packet; both sides are on one machine and agree by `version`.
//
//   program -> broker     hello, bye (or it closes the socket, or dies)
//   broker -> program     welcome, with the file descriptors of its two pages (pages.hpp: allotment, feedback); or refuse
//                         ring: look at the allotment page. Dropped where the program does not read: the page is what
//                         counts.
#pragma once

#include <parley/broker/names.hpp>

#include <array>
#include <cstdint>

namespace parley::inline v0::broker {

inline constexpr std::uint32_t packet_magic = 0x59'4c'52'50;  // "PRLY"
inline constexpr std::uint16_t packet_version = 1;

enum class packet_type : std::uint16_t { hello = 1, bye, welcome, refuse, ring, observe, row };

struct packet_head {
    std::uint32_t magic = packet_magic;
    std::uint16_t version = packet_version;
    packet_type type = packet_type::hello;
};

// Its process and user are what the system says of the socket's other end.
struct hello {
    packet_head head{.type = packet_type::hello};
    std::uint32_t most = 0;    // workers that it can have, > 0
    std::uint32_t weight = 1;  // 1 to most_weight
    // Its workers are the threads of another process below it (parley broker run): they cannot be suspended, only moved,
    // and its feedback is what the system says of their run time.
    std::uint32_t is_led = 0;
    std::uint32_t unused = 0;
    std::array<std::uint64_t, 16> allowed{};  // cores that it may run on at all
    std::array<char, 32> name{};              // ends with 0
};

struct bye {
    packet_head head{.type = packet_type::bye};
};

struct welcome {
    packet_head head{.type = packet_type::welcome};
    program_id program = 0;
    nanoseconds sample = 0;   // how often the broker reads the feedback
    nanoseconds quantum = 0;  // and how often it allots
};

struct refuse {
    packet_head head{.type = packet_type::refuse};
    std::array<char, 120> why{};  // one line, ends with 0
};

struct ring {
    packet_head head{.type = packet_type::ring};
    std::uint32_t generation = 0;
    std::uint32_t unused = 0;
};

}  // namespace parley::inline v0::broker
